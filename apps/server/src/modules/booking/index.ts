export { createChoices } from './choices.ts';
export { createGroups } from './groups.ts';
export { createPeople } from './people.ts';
export { bookingRoutes, meetingFileRoutes } from './routes.ts';
