/** What the server, or a device that is no browser, can only do with media or texts that it can read. */
export const PLAIN_CAPABILITIES = [
  'recording',
  'live',
  'telephone',
  'roomDevices',
  'serverPictures',
  'chatFiles',
] as const;
export type PlainCapability = (typeof PLAIN_CAPABILITIES)[number];

/**
 * Whether a meeting or its conference has a capability. End-to-end encrypted ones have none of these, because only the
 * browsers of the participants have the key. States that were stored before there was encryption omit `e2ee`.
 */
export function hasCapability({ e2ee }: { e2ee?: boolean | undefined }, _capability: PlainCapability): boolean {
  return e2ee !== true;
}
