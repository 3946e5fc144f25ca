import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { DiagnosticsService } from './service.ts';

export const diagnosticsRoutes = (diagnostics: DiagnosticsService): Handlers<typeof contract.diagnostics> => ({
  log: (context, { query }) => diagnostics.log(context, query),
  summary: () => diagnostics.summary(),
  bundle: (context) => diagnostics.bundle(context),
});
