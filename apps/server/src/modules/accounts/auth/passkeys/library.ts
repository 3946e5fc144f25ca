/** Loaded with the first passkey: most servers need none of it when they start. */
export const library = () => import('@simplewebauthn/server');
