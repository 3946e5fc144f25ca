export { newToken, hashToken } from './tokens.ts';
export { openSecretBox, type SecretBox } from './box.ts';
