import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a key derived from the configuration; a text sealed for one row does not open in another. */
export class SealedBox {
  private readonly key: KeyObject;

  constructor(secret: KeyObject, purpose: string) {
    this.key = deriveKey(secret, purpose);
  }

  seal(text: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(context));
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
      'base64url',
    );
  }

  /** @throws Error when it was sealed under another secret, for another context, or altered. */
  open(sealed: string, context: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}

/** Sealed boxes under several keys, while one takes the place of another: the first seals, all open. */
export class SealedRing {
  private readonly boxes: readonly SealedBox[];

  constructor(secrets: readonly KeyObject[], purpose: string) {
    this.boxes = secrets.map((secret) => new SealedBox(secret, purpose));
  }

  seal(text: string, context: string): string {
    return this.boxes[0]!.seal(text, context);
  }

  /** Null when it was sealed under no key of the ring, for another context, or altered. */
  open(sealed: string, context: string): { text: string; isCurrent: boolean } | null {
    for (const box of this.boxes) {
      try {
        return { text: box.open(sealed, context), isCurrent: box === this.boxes[0] };
      } catch {
        continue;
      }
    }
    return null;
  }
}

/** Derives an independent key per purpose from one secret of the configuration. */
export function deriveKey(secret: KeyObject, purpose: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `payroll/oauth/${purpose}`, 32)));
}
