import { EVERY_MEMBER, field, NULLABLE, People, PERSONS_READERS, Teams } from '@payroll/service';
import { Directive, ObjectType } from 'type-graphql';

@Teams(...PERSONS_READERS)
@People(...EVERY_MEMBER)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Who did something: a member, or a key or connection that acts for one.' })
export class Principal {
  @field.id('As the audit trails have it, a UUID.') id!: string;
  @field.text('The member who acted, or for whom it did.') memberName!: string;
  @field.text('Of the key or the assistant; null for the member in person.', NULLABLE) name!: string | null;
}
