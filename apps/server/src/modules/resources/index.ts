export {
  bookResource,
  giveResourcesBack,
  giveUnusedResourceBack,
  portsOf,
  prolongResource,
  recountPorts,
  resourceBusy,
  resourcesOfMeetings,
  retimeResource,
  terminalsExpected,
} from './booking.ts';
export { createBookLimits, MEETING_CODES, type BookLimits } from './limits.ts';
export { resourceRoutes } from './routes.ts';
export { createResourceService, type ResourceService } from './service.ts';
