export { createMedia, type MediaClient } from './media.ts';
export type { Media, MediaParticipant, MediaRoom, MediaSource, TokenOptions } from './types.ts';
