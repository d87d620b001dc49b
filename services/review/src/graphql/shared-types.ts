import 'reflect-metadata';
import { EVERYBODY, IdField, Teams } from '@payroll/subgraph';
import { Directive, ObjectType } from 'type-graphql';

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'The contract whose work this is; owned by the contracts service.' })
export class Contract {
  @IdField('Its id, a UUID.') id!: string;
}

@Teams(...EVERYBODY)
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The payment an approval created; owned by the payments service.' })
export class Payment {
  @IdField('Its id, a UUID.') id!: string;
}
