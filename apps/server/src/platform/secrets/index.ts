export { newToken, hashToken } from './tokens.ts';
export { openSecretBox, SecretKeyUnusable, type SecretBox } from './box.ts';
