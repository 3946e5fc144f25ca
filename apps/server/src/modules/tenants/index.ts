export { PLATFORM_TENANT_ID, ensurePlatformTenant } from './platform-tenant.ts';
export { findTenant } from './repo.ts';
