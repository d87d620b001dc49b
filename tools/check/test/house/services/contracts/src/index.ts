export const sign = (): string => 'signed';
