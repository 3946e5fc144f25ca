export { createAccountGrants, type AccountGrants } from './account-grants.ts';
export { ensureBuiltIns } from './built-in.ts';
export { grantRoles, managementCodesOf, rolesOfAccounts, userRoles } from './grants.ts';
export { grantRoutes, roleRoutes } from './routes.ts';
export { createRoleService, type RoleService } from './service.ts';
