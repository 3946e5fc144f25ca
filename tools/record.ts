/**
 * `npm run record -- --meet <number> --account <account> --out film.webm`, or `--link <link to the desk>` instead of
 * the first two: records the programme of a running conference until it ends or Ctrl-C. Only with RMEET_RECORDER=on,
 * because it exists to prove that a conference's state contains what a recording needs, and does not inform the
 * participants of the recording.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { accessByAccount, accessByLink, Recording } from '@rmeet/recorder';

const USAGE = `npm run record -- --meet <number> --account <account> --out <file.webm>
    [--tenant <organisation>] [--url http://127.0.0.1:3000]   password in RMEET_PASSWORD
npm run record -- --link <link to the desk> --out <file.webm>
--insecure takes a certificate nobody signed.`;

/** Ends with a message. */
function giveUp(sentence: string, code: number): never {
  console.error(sentence);
  process.exit(code);
}

if (process.env['RMEET_RECORDER'] !== 'on') {
  giveUp(
    'The recorder is off: it is a proof, not the recording product, and nobody in the conference sees that it ' +
      'records. RMEET_RECORDER=on switches it on.',
    2,
  );
}
const { meet, account, tenant, link, out, url, insecure } = readOptions();
if (out === undefined || (link === undefined && (meet === undefined || account === undefined))) giveUp(USAGE, 2);
// For the calls; sockets have their own option.
if (insecure) process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';

try {
  const access =
    link === undefined
      ? {
          url,
          ...(await accessByAccount(url, meet ?? '', {
            account: account ?? '',
            password: process.env['RMEET_PASSWORD'] ?? '',
            tenant,
          })),
        }
      : await accessByLink(link);
  // npm changes the working directory and passes on the original one.
  const path = resolve(process.env['INIT_CWD'] ?? process.cwd(), out);
  const recording = await Recording.start({ ...access, path, insecure, log: (line) => console.log(line) });
  // `disconnect`: the parent process has ended.
  for (const ending of ['SIGINT', 'SIGTERM', 'disconnect'])
    process.once(ending, () => void recording.stop().catch(() => undefined));
  console.log(`Recording to ${path}. Ctrl-C ends it.`);
  await recording.done;
  process.exit(0);
} catch (error) {
  giveUp(error instanceof Error ? error.message : String(error), 1);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        meet: { type: 'string' },
        account: { type: 'string' },
        tenant: { type: 'string' },
        link: { type: 'string' },
        out: { type: 'string' },
        url: { type: 'string', default: 'http://127.0.0.1:3000' },
        insecure: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return giveUp(`${String(error)}\n${USAGE}`, 2);
  }
}
