import type { Db } from '../../../platform/db/index.ts';
import { createAccess } from './access.ts';
import { createCatalogue } from './catalogue.ts';
import type { AccessSessions } from './changes.ts';
import { createOptions } from './options.ts';

export function createPermissionService(deps: { db: Db; sessions: AccessSessions; now: () => Date }) {
  return { ...createAccess(deps), ...createCatalogue(deps), ...createOptions(deps) };
}

export type PermissionService = ReturnType<typeof createPermissionService>;
