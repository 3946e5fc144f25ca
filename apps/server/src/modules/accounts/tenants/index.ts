export type { FirstAccount, TenantConferences } from './ports.ts';
export { PLATFORM_TENANT_ID, ensurePlatformTenant } from './platform-tenant.ts';
export { isInNetworks, placeOf } from './places.ts';
export { brandingOf, entryLookOf, passwordRulesOf, presentTenantInfo } from './present.ts';
export { findOnlyTenant, findTenant, findTenantBy, insertTenant, tenantOf } from './repo.ts';
export { tenantRoutes } from './routes.ts';
export { createTenantService } from './service.ts';
