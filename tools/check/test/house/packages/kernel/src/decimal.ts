export const isDecimal = (text: string): boolean => /^\d+(\.\d+)?$/.test(text);
