import { startServer, type RunningServer } from '@rmeet/testkit';

/**
 * The product with its embedded database and demo people on a data folder. @throws Error with all it printed where it
 * does not come up
 */
export const startOn = (data: string): Promise<RunningServer> =>
  startServer({ data, env: { RMEET_SEED: 'demo', RMEET_MEDIA_PROCESSES: '1', DATABASE_URL: '' } });

/** Whether /readyz says that all is there; undefined while nothing answers. */
export async function isReady(url: string): Promise<boolean | undefined> {
  try {
    return (await fetch(`${url}/readyz`)).status === 200;
  } catch {
    return undefined;
  }
}
