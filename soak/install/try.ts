import { until } from '@rmeet/testkit';
import { readBlocks } from './document.ts';
import { startMachine, type Machine } from './machine.ts';
import type { Steps } from './steps.ts';
import { launch, meet, setUp } from './meeting.ts';

/** Packages that "Try it" assumes. */
const NODE_AND_NPM = 'apt-get update && apt-get install --yes --no-install-recommends ca-certificates git nodejs npm';

const blockOf = (kind: string): string => {
  const block = readBlocks().find((one) => one.kind === kind);
  if (!block) throw new Error(`docs/installation.md has no block "sh ${kind}"`);
  return block.script;
};

/** "Try it" until people meet, and how long that took from the clone on. */
async function tryIt(machine: Machine, account: string, steps: Steps): Promise<void> {
  const began = Date.now();
  const running = machine.start(blockOf('try'), account);
  let printed = '';
  for (const stream of [running.stdout, running.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const browser = await launch();
  try {
    const link = await steps.run('clone, npm start, setup link', async () => {
      const found = await until(
        'the setup link is printed',
        () => {
          if (running.exitCode !== null) throw new Error(printed.slice(-2_000));
          return /Set it up: (\S+)/.exec(printed)?.[1];
        },
        { within: 300_000, every: 250 },
      );
      return { seen: `after ${Math.round((Date.now() - began) / 1_000)} s`, value: found };
    });
    await steps.run('operator, organisation and two users by the pages', async () => {
      await setUp(browser, link);
      return { seen: 'all signed in', value: undefined };
    });
    await steps.run('a meeting', async () => {
      const seen = await meet(browser, new URL(link).origin, 'First meeting');
      return { seen: `${seen}; ${Math.round((Date.now() - began) / 1_000)} s after git clone`, value: undefined };
    });
  } finally {
    await browser.close();
    running.kill();
  }
}

/** README's start on a Debian 13 that has git, Node and npm, as an ordinary account or as root. */
export async function tryAs(account: string, steps: Steps): Promise<void> {
  const machine = await startMachine('trixie');
  try {
    await steps.run(`Debian 13 with git, Node and npm, as ${account}`, async () => {
      machine.run(NODE_AND_NPM);
      if (account !== 'root') machine.run(`useradd --create-home ${account}`);
      return { seen: machine.run('node --version; npm --version').trim().replace('\n', ', npm '), value: undefined };
    });
    await tryIt(machine, account, steps);
  } finally {
    await machine.stop();
  }
}

/** The same on Debian 12, with the newer Node that the document installs there. */
export async function tryOnBookworm(steps: Steps): Promise<void> {
  const machine = await startMachine('bookworm');
  try {
    await steps.run('Debian 12 with a newer Node', async () => {
      machine.run(blockOf('debian12'));
      machine.run('useradd --create-home maria');
      return { seen: machine.run('node --version; npm --version').trim().replace('\n', ', npm '), value: undefined };
    });
    await tryIt(machine, 'maria', steps);
  } finally {
    await machine.stop();
  }
}
