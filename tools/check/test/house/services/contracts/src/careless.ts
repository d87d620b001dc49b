export const later = async (): Promise<any> => sign();

const sign = async (): Promise<string> => 'signed';

export function forget(): void {
  sign();
  console.log('forgotten');
}
