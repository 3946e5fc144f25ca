import type { contract } from '@rmeet/contract';
import type { Handlers, UploadGates } from '../../platform/http/index.ts';
import type { ClientPackages } from './service.ts';

export const clientPackageRoutes = (packages: ClientPackages): Handlers<typeof contract.clientPackages> => ({
  list: (context, { query }) => packages.list(context, query),
  file: (_context, { params }) => packages.file(params.id),
  query: (context, { query }) => packages.query(context, query),
  check: async (_context, { body }) => {
    await packages.check(body);
    return null;
  },
  create: (context, input) => packages.create(context, input),
  update: (context, { params, body }) => packages.update(context, params.id, body),
  withdraw: (context, { params, body }) => packages.withdraw(context, params.id, body.withdrawn),
  remove: async (context, { params }) => {
    await packages.remove(context, params.id);
    return null;
  },
});

export const clientPackageGates = (packages: ClientPackages): UploadGates<typeof contract.clientPackages> => ({
  create: (_context, input) => packages.gate(input),
});
