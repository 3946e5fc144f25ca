import { startServer, type RunningServer } from '@rmeet/testkit';

/**
 * The product with its embedded database and demo accounts on a data folder. @throws Error with its whole output if it
 * does not start
 */
export const startOn = (data: string): Promise<RunningServer> =>
  startServer({ data, env: { RMEET_SEED: 'demo', RMEET_MEDIA_PROCESSES: '1', DATABASE_URL: '' } });

/** Whether /readyz reports that everything is available; undefined without a response. */
export async function isReady(url: string): Promise<boolean | undefined> {
  try {
    return (await fetch(`${url}/readyz`)).status === 200;
  } catch {
    return undefined;
  }
}
