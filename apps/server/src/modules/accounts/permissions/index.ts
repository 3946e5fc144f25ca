export { ensureBuiltInEntries } from './built-in.ts';
export { accessChangedEverywhere, type AccessSessions } from './changes.ts';
export { flagsOf, grantableTo, type AccountKind } from './decide.ts';
export { accountsGranted } from './holders.ts';
export { labelOf } from './present.ts';
export { findEntriesById } from './repo.ts';
export { accessRoutes, permissionRoutes } from './routes.ts';
export { createPermissionService, type PermissionService } from './service.ts';
export { permissionCodesOf } from './subject.ts';
