import { auth } from './auth.ts';
import { conferences } from './conferences.ts';
import { downloads } from './downloads.ts';
import { meetings } from './meetings.ts';

/** Every HTTP call there is, by domain. */
export const contract = { auth, meetings, conferences, downloads };

export * from './auth.ts';
export * from './client.ts';
export * from './conferences.ts';
export * from './constants.ts';
export * from './downloads.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './meetings.ts';
export * from './openapi.ts';
export * from './push.ts';
export * from './route.ts';
