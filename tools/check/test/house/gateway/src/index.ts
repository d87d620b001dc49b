export const execute = (): string => 'data';
