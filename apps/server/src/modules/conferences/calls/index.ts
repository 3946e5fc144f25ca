export { Calls } from './calls.ts';
export { createExtend, type Extend } from './extend.ts';
export { createGrants } from './grant.ts';
export { Invites } from './invite.ts';
export { createRingMail } from './ring-mail.ts';
export { createRings, type Rings } from './rings.ts';
export { callRoutes, type CallHandlers } from './routes.ts';
