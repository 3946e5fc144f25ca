import type { contract } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import { AppError, type Handlers } from '../../platform/http/index.ts';
import type { Stage } from '../conferences/index.ts';
import { broadcastRoutes } from './routes.ts';
import { createRun } from './run.ts';
import { createBroadcasts } from './service.ts';

export interface LiveDeps {
  db: Db;
  stage: Stage;
  now: () => Date;
}

/** The parts of live broadcasts. */
export function createLive(options: LiveDeps) {
  const forget = (_id: string): void => undefined;
  const deps = { ...options, forget };
  const later = () => {
    throw new AppError('NOT_FOUND');
  };
  return {
    forget,
    broadcastRoutes: {
      ...broadcastRoutes({ broadcasts: createBroadcasts(deps), run: createRun(deps) }),
      messages: later,
      moderate: later,
      statistics: later,
      exportViewers: later,
    } satisfies Handlers<typeof contract.broadcasts>,
  };
}

export type Live = ReturnType<typeof createLive>;
