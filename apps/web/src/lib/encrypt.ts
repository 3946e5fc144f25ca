const OAEP = { name: 'RSA-OAEP', hash: 'SHA-256' } as const;

/** Whether this page can encrypt: browsers provide `crypto.subtle` in secure contexts only. */
export function canEncrypt(): boolean {
  return globalThis.isSecureContext;
}

/**
 * Encrypts a password with the server's public key (SPKI in PEM): RSA-OAEP with SHA-256 (RFC 8017, section 7.1),
 * base64.
 */
export async function encryptPassword(password: string, publicKeyPem: string): Promise<string> {
  const der = fromBase64(publicKeyPem.replace(/-----[^-]+-----|\s/g, ''));
  const key = await crypto.subtle.importKey('spki', der, OAEP, false, ['encrypt']);
  const cipher = await crypto.subtle.encrypt(OAEP, key, new TextEncoder().encode(password));
  return btoa(String.fromCharCode(...new Uint8Array(cipher)));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
