import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { Browser } from '@playwright/test';
import { startMailServer, until, type MailServer } from '@rmeet/testkit';
import { livekitServer } from '../../tools/livekit.ts';
import { outerAddress } from '../outer-address.ts';
import { startAuthority } from './authority.ts';
import { readBlocks } from './document.ts';
import { startMachine, type Machine } from './machine.ts';
import type { Steps } from './steps.ts';
import { launch, meet, setUp } from './meeting.ts';

const SITE = 'https://meet.example.org';

interface Setting {
  machine: Machine;
  browser: Browser;
  mail: MailServer;
  steps: Steps;
}

/** Waits for what the document's script starts: the service, after a restart. */
async function isReady({ folder, run }: Machine): Promise<void> {
  await until(
    'the service is ready',
    () => {
      const { port } = JSON.parse(readFileSync(join(folder, 'var/lib/rmeet/run.json'), 'utf8')) as { port: number };
      const scheme = /^RMEET_HOST=127/m.test(readFileSync(join(folder, 'etc/rmeet/rmeet.env'), 'utf8'))
        ? 'http'
        : 'https';
      // Only the machine has a Node for the request, and its own certificate is self-signed.
      return (
        run(
          'NODE_TLS_REJECT_UNAUTHORIZED=0 node --no-warnings --eval ' +
            `"fetch('${scheme}://127.0.0.1:${port}/readyz').then((answer) => console.log(answer.status), () => null)"`,
        ).trim() === '200'
      );
    },
    { within: 90_000, every: 500 },
  );
}

/** A self-signed pair for a section that assumes one. */
function certificate({ run }: Machine, folder: string, group: string, name: string): void {
  run(`install -d -m 750 -g ${group} ${folder}
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=${name} -addext subjectAltName=DNS:${name} \\
      -keyout ${folder}/privkey.pem -out ${folder}/fullchain.pem 2> /dev/null
    chgrp ${group} ${folder}/*.pem; chmod 640 ${folder}/*.pem`);
}

/** The issuer of the certificate on a port of this machine. */
const issuerAt = async (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(
      { host: '127.0.0.1', port, servername: 'meet.example.org', rejectUnauthorized: false },
      () => {
        const { issuer, serialNumber } = socket.getPeerCertificate();
        socket.destroy();
        resolve(`${String(issuer.CN)} ${serialNumber}`);
      },
    );
    socket.on('error', reject);
  });

/** The sections of the document that turn one machine into a service, in order; `check` tests the result of one. */
interface Section {
  title: string;
  before?: (setting: Setting) => void | Promise<void>;
  /** The deviations from the document's commands: those that need the internet. */
  edit?: (script: string, setting: Setting) => string;
  check: (setting: Setting) => Promise<string>;
}

/**
 * coturn's own client, with a credential like Rmeet's, sends to itself through the relay, which serves no loopback
 * address. @returns the share of lost messages
 */
function relayed({ machine }: Setting, way: string): string {
  const flags = { UDP: '-p 3478', TCP: '-t -p 3478', TLS: '-t -S -p 5349' }[way] ?? '';
  const told = machine.run(`secret=$(sed -n 's/^static-auth-secret=//p' /etc/turnserver.conf)
    turnutils_uclient ${flags} -y -c -n 20 -m 2 -u alice -W "$secret" ${outerAddress()} 2>&1`);
  const [sent = 0, received = 0] = [/tot_send_msgs=(\d+)/g, /tot_recv_msgs=(\d+)/g].map((pattern) =>
    Number([...told.matchAll(pattern)].at(-1)?.[1] ?? 0),
  );
  // Its first messages may arrive before the other end is ready.
  if (!sent || received < 0.9 * sent)
    throw new Error(`by ${way} ${received} of ${sent} messages came back:\n${told.slice(-2_000)}`);
  return `${received} of ${sent}`;
}

let authority: Awaited<ReturnType<typeof startAuthority>> | undefined;

const stays = async ({ browser }: Setting, subject: string): Promise<string> => meet(browser, SITE, subject);

const sections: Section[] = [
  { title: 'Packages', check: async ({ machine }) => machine.run('node --version').trim() },
  {
    title: 'The service',
    async check({ machine, browser }) {
      const [link] = /https:\S+/.exec(machine.run('journalctl --unit rmeet --no-pager --grep "Set it up"')) ?? [];
      if (link === undefined || link !== readFileSync(join(machine.folder, 'var/lib/rmeet/setup-link'), 'utf8').trim())
        throw new Error(`link in the log: ${link}`);
      await setUp(browser, link);
      const level = machine
        .run(
          'systemd-analyze verify /etc/systemd/system/rmeet.service ' +
            '2>&1; systemd-analyze security rmeet --no-pager | tail -1',
        )
        .trim();
      return `${await meet(browser, new URL(link).origin, 'By address')}; ${level}`;
    },
  },
  {
    title: 'Certbot, without a proxy',
    before: async ({ machine }) => {
      authority = await startAuthority(machine);
    },
    edit: (script) =>
      script.replace(
        'certbot certonly',
        `REQUESTS_CA_BUNDLE=/etc/pebble.pem certbot certonly --server ${String(authority?.directory)}`,
      ),
    async check({ machine }) {
      const first = await issuerAt(443);
      machine.run(
        `REQUESTS_CA_BUNDLE=/etc/pebble.pem certbot renew --server ${String(authority?.directory)} ` +
          '--force-renewal --no-random-sleep-on-renew',
      );
      await until('the renewed certificate is shown', async () => (await issuerAt(443)) !== first, { within: 60_000 });
      if (!first.startsWith('Pebble')) throw new Error(`signed by ${first}`);
      return `by ${first.split(' ').slice(0, 2).join(' ')}, renewed without a restart of the service`;
    },
  },
  { title: 'The address', check: async () => 'stored' },
  {
    title: 'Mail',
    edit: (script, { mail }) => script.replace('smtp://mail.example.org', `smtp://mail.example.org:${mail.port}`),
    check: async ({ browser, mail }) => meet(browser, SITE, 'Without a proxy', { upload: true, mail }),
  },
  {
    title: 'Behind nginx',
    check: async ({ machine, browser, mail }) => {
      const seen = await meet(browser, SITE, 'Behind nginx', { upload: true, mail });
      machine.run('systemctl disable --now nginx');
      return seen;
    },
  },
  {
    title: 'Behind Caddy',
    // Let's Encrypt cannot reach this machine: Caddy's own authority signs.
    edit: (script) =>
      script.replace(
        'caddy validate',
        String.raw`sed -i '1i {\n\tlocal_certs\n}' /etc/caddy/Caddyfile` + '\ncaddy validate',
      ),
    check: async ({ browser, mail }) => {
      await until('Caddy has its certificate', () => issuerAt(443), { within: 60_000 });
      return (
        `${await meet(browser, SITE, 'Behind Caddy', { upload: true, mail })}; ` +
        `certificate by ${await issuerAt(443)}`
      );
    },
  },
  {
    title: 'Backups',
    check: async (setting) => {
      const { machine } = setting;
      const kept = (): number =>
        readdirSync(join(machine.folder, 'var/backups/rmeet')).filter((name) => name.endsWith('.backup')).length;
      const before = kept();
      appendFileSync(join(machine.folder, 'etc/rmeet/rmeet.env'), "RMEET_BACKUP_SCHEDULE='* * * * *'\n");
      machine.run('systemctl restart rmeet');
      await isReady(machine);
      await until('a backup by the clock', () => kept() > before, { within: 90_000, every: 500 });
      machine.run('sed -i /RMEET_BACKUP_SCHEDULE/d /etc/rmeet/rmeet.env; systemctl restart rmeet');
      await isReady(machine);
      return `one by the clock, too; ${await stays(setting, 'After a restore')}`;
    },
  },
  { title: 'A lost operator password', check: async () => 'a new one was printed' },
  {
    title: 'Updates',
    before: ({ machine }) =>
      machine.run(`git clone --quiet /srv/rmeet.git /tmp/next && cd /tmp/next && echo >> README.md &&
      git -c user.name=Rmeet -c user.email=rmeet@example.org commit --quiet --all --message 'a newer version' &&
      git push --quiet`) as unknown as void,
    check: async (setting) =>
      `${setting.machine.run('git -C /opt/rmeet log -1 --format=%s').trim()}: ` +
      (await stays(setting, 'After an update')),
  },
  {
    title: 'Going back',
    check: async (setting) =>
      `${setting.machine.run('git -C /opt/rmeet log -1 --format=%s').trim()}: ` +
      (await stays(setting, 'After going back')),
  },
  {
    title: 'TURN',
    before: ({ machine }) => {
      machine.run('getent group turnserver > /dev/null || groupadd --system turnserver');
      certificate(machine, '/etc/turnserver', 'turnserver', 'turn.example.org');
    },
    check: async (setting) =>
      `${['UDP', 'TCP', 'TLS'].map((way) => `${way} ${relayed(setting, way)}`).join(', ')}; ` +
      (await stays(setting, 'With TURN')),
  },
  {
    title: 'Moving to a PostgreSQL server',
    check: async (setting) => {
      const { databasePid } = JSON.parse(
        readFileSync(join(setting.machine.folder, 'var/lib/rmeet/run.json'), 'utf8'),
      ) as { databasePid?: number };
      if (databasePid !== undefined) throw new Error('the embedded database still runs');
      return stays(setting, 'On PostgreSQL');
    },
  },
];

/** Blocks of the document that are not run on any machine. */
export function unrunBlocks(): string[] {
  const kinds = new Set(['try', 'debian12', 'firewall', 'livekit']);
  return readBlocks()
    .filter(({ kind, section }) => (kind === '' ? !sections.some(({ title }) => title === section) : !kinds.has(kind)))
    .map(({ kind, section }) => `${section} (${kind})`);
}

/** Runs a section unchanged, except for commands that need the internet. */
async function runSection({ title, before, edit, check }: Section, setting: Setting): Promise<void> {
  await setting.steps.run(title, async () => {
    await before?.(setting);
    const script = readBlocks()
      .filter((block) => block.section === title && block.kind === '')
      .map((block) => block.script);
    if (script.length === 0) throw new Error(`docs/installation.md has no section "${title}"`);
    for (const one of script) {
      setting.machine.run(edit?.(one, setting) ?? one);
      if (/systemctl .*rmeet/.test(one)) await isReady(setting.machine);
    }
    return { seen: await check(setting), value: undefined };
  });
}

/** LiveKit as started in the document; the service with its three settings. */
async function moveToLivekit(setting: Setting): Promise<void> {
  const { machine, steps } = setting;
  const binary = livekitServer();
  if (binary.path === undefined) {
    console.log(`skipped: ${binary.reason}`);
    return;
  }
  copyFileSync(binary.path, join(machine.folder, 'usr/local/bin/livekit-server'));
  const block = readBlocks().find(({ kind }) => kind === 'livekit');
  await steps.run('Moving to LiveKit', async () => {
    const livekit = machine.start(block?.script ?? 'false', 'root');
    await until('LiveKit answers', async () => (await fetch('http://127.0.0.1:7880/')).ok, { within: 30_000 });
    const secret = machine.run("sed -n 's/^  rmeet: //p' /etc/livekit.yaml").trim();
    // A browser accepts media servers of its own machine without TLS.
    appendFileSync(
      join(machine.folder, 'etc/rmeet/rmeet.env'),
      `LIVEKIT_URL=ws://127.0.0.1:7880\nLIVEKIT_API_KEY=rmeet\nLIVEKIT_API_SECRET=${secret}\n`,
    );
    machine.run('systemctl restart rmeet');
    await isReady(machine);
    const seen = await stays(setting, 'On LiveKit');
    livekit.kill();
    return { seen, value: undefined };
  });
}

/** The rules are checked, and loaded in a separate network: the machine shares the network of its host. */
async function loadFirewall({ machine, steps }: Setting): Promise<void> {
  await steps.run('The firewall', async () => {
    const script = readBlocks().find(({ kind }) => kind === 'firewall')?.script ?? '';
    const lines = script
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('systemctl') && !line.startsWith('nft'));
    machine.run(lines.join('\n'));
    const rules = join(machine.folder, 'etc/nftables.conf');
    const inOwnNetwork = spawnSync(
      'unshare',
      ['--net', 'sh', '-ec', `nft --check --file ${rules}; nft --file ${rules}; nft list ruleset`],
      { encoding: 'utf8' },
    );
    if (inOwnNetwork.status !== 0) throw new Error(inOwnNetwork.stderr);
    machine.run('systemd-analyze verify --man=no nftables.service');
    return {
      seen: `loaded: ${inOwnNetwork.stdout
        .split('\n')
        .filter((line) => line.includes('dport'))
        .map((line) => line.trim())
        .join('; ')}`,
      value: undefined,
    };
  });
}

/** docs/installation.md from "Packages" to its end, on one machine. */
export async function installAsService(steps: Steps): Promise<void> {
  const machine = await startMachine('trixie');
  const setting: Setting = { machine, browser: await launch(), mail: await startMailServer(), steps };
  try {
    for (const section of sections) await runSection(section, setting);
    await loadFirewall(setting);
    await moveToLivekit(setting);
  } catch (error) {
    console.log(
      machine.run(
        `cat /etc/rmeet/rmeet.env; journalctl --unit rmeet --no-pager | grep -v '"msg":"Request"' | tail -n 30`,
      ),
    );
    throw error;
  } finally {
    await setting.browser.close();
    await setting.mail.close();
    authority?.stop();
    await machine.stop();
  }
}
