import { EVERY_MEMBER, field, NULLABLE, People, PERSONS_READERS, Teams } from '@payroll/service';
import { Directive, ObjectType } from 'type-graphql';

@Teams(...PERSONS_READERS)
@People(...EVERY_MEMBER)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Who did something: a member, a key or connection that acts for one, or a worker.' })
export class Principal {
  @field.id('As the audit trails have it, a UUID.') id!: string;
  @field.text('The member or worker who acted, or the member for whom it did.') memberName!: string;
  @field.text('Of the key or the assistant; null for the member in person.', NULLABLE) name!: string | null;
}
