/**
 * `npm run record -- --meet <number> --account <account> --out film.mp4`, or `--link <link to the desk>` instead of the
 * first two: records the programme of a running conference until it ends or Ctrl-C. Only with RMEET_RECORDER=on,
 * because it does not inform the participants of the recording.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { accessByAccount, accessByLink, ConferenceRecorder, joinMp4 } from '@rmeet/recorder';

const USAGE = `npm run record -- --meet <number> --account <account> --out <file.mp4>
    [--tenant <organisation>] [--url http://127.0.0.1:3000]   password in RMEET_PASSWORD
npm run record -- --link <link to the desk> --out <file.mp4>
--insecure takes a certificate nobody signed.`;

/** Ends with a message. */
function giveUp(sentence: string, code: number): never {
  console.error(sentence);
  process.exit(code);
}

if (process.env['RMEET_RECORDER'] !== 'on') {
  giveUp(
    'The recorder is off: nobody in the conference sees that this command records. RMEET_RECORDER=on switches it on.',
    2,
  );
}
const { meet, account, tenant, link, out, url, insecure } = readOptions();
if (out === undefined || (link === undefined && (meet === undefined || account === undefined))) giveUp(USAGE, 2);
// For the calls; sockets have their own option.
if (insecure) process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';

try {
  // npm changes the working directory and passes on the original one.
  const path = resolve(process.env['INIT_CWD'] ?? process.cwd(), out);
  const folder = `${path}.parts`;
  for (const taken of [path, folder])
    if (existsSync(taken)) giveUp(`${taken} is there already. Choose another name.`, 1);
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
  const why = await record(access, folder);
  await joinMp4(join(folder, 'programme'), path);
  await rm(folder, { recursive: true });
  console.log(`Recorded to ${path}: ${why}.`);
  process.exit(0);
} catch (error) {
  giveUp(error instanceof Error ? error.message : String(error), 1);
}

/** Records segments to a folder. Returns why it ended. */
async function record(access: Awaited<ReturnType<typeof accessByLink>>, folder: string): Promise<string> {
  let end: (why: string) => void;
  const ended = new Promise<string>((settle) => {
    end = settle;
  });
  // `disconnect`: the parent process has ended.
  for (const ending of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(ending, () => end('it was stopped'));
  const recorder = await ConferenceRecorder.start({
    ...access,
    folder,
    index: null,
    startsAt: Date.now(),
    withTracks: false,
    insecure,
    log: (line) => console.log(line),
    onFile: () => undefined,
    onFailure: (error) => end(String(error)),
    onEnded: () => end('the conference is over'),
  });
  console.log('Recording. Ctrl-C ends it.');
  const why = await ended;
  await recorder.stop();
  return why;
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
