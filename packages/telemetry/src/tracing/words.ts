/** `approveTimesheet` as people say it: "approve timesheet". */
export function wordsOfField(field: string): string {
  return field.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** `payment.create-for-timesheet` as people say it: "create payment for timesheet". */
export function wordsOfCommand(command: string): string {
  const [thing = '', deed = ''] = command.split('.');
  const [verb = '', ...rest] = deed.split('-');
  return [verb, thing.replaceAll('-', ' '), ...rest].filter(Boolean).join(' ');
}
