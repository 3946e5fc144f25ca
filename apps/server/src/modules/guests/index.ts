export { openGuestLink } from './link.ts';
export { countUse } from './repo.ts';
export { guestRoutes } from './routes.ts';
export { createGuestService } from './service.ts';
