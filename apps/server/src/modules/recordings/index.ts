export { createRecordingLibrary } from './library/create.ts';
export { libraryRoutes } from './library/routes.ts';
