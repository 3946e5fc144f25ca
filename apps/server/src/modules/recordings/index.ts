export { createRecordingLibrary, type LibraryRounds } from './library/create.ts';
export { libraryRoutes } from './library/routes.ts';
