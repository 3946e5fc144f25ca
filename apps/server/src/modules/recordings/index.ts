export {
  createRecorderCallers,
  createRecordingPort,
  identityOf,
  showOnly,
  smallIdentityOf,
  Watchdog,
} from './control/index.ts';
export { createRecordingLibrary, type LibraryRounds } from './library/create.ts';
export type { Programme } from './library/programme.ts';
export { libraryRoutes } from './library/routes.ts';
