import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser, startServer, type RunningServer } from '@rmeet/testkit';
import { missing } from '../../packages/recorder/test/film.ts';
import { Stage } from '../../packages/recorder/test/stage.ts';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';
import { gstreamerMissing } from './gstreamer.ts';
import { judgePlayed, judgeProgramme, judgeSeen, judgeSync, judgeTracks, type Case, type Finding } from './judges.ts';
import { RecordingPage } from './page.ts';
import { recordInProduct, saveMp4 } from './product.ts';
import { pair, ten, type Meeting } from './scripts.ts';
import { Witness } from './witness.ts';

const MEETINGS: Record<string, Meeting> = { pair: pair as unknown as Meeting, ten: ten as unknown as Meeting };

type Chair = Awaited<ReturnType<RunningServer['api']['as']>>;

/** Holds a scripted meeting that the product records. */
async function hold(server: RunningServer, meeting: Meeting, folder: string): Promise<{ judged: Case; host: Chair }> {
  const held: { witness?: Witness; id?: string; host?: Chair } = {};
  const stage = await Stage.open(server, {
    ...meeting,
    record: async (recorded) => {
      held.host = recorded.chair;
      held.witness = await Witness.open(recorded);
      const recording = await recordInProduct(recorded);
      held.id = recording.id;
      return recording;
    },
  });
  await meeting.perform(stage);
  held.witness!.close();
  const index = await stage.end();
  const stored = { id: held.id!, index };
  return { judged: { server, stage, stored, witness: held.witness!, folder }, host: held.host! };
}

async function judgeAll(meeting: Meeting, { judged, host }: Awaited<ReturnType<typeof hold>>): Promise<Finding[]> {
  const { server, stage, stored, folder } = judged;
  const mp4 = new Map<string, string>();
  const { picture, sound } = meeting.saved;
  const tracks = ['programme', `camera-${stage.termIds(picture)[0]}`, `microphone-${stage.termIds(sound)[0]}`];
  for (const id of tracks) mp4.set(id, await saveMp4(server, host, stored, id, join(folder, `${id}.mp4`)));
  const found: Finding[] = [];
  const note = (...findings: Finding[]): void => {
    found.push(...findings);
    for (const { what, looks, breaches } of findings) {
      console.log(`${what}: ${looks} looks, ${breaches.length} wrong`);
      for (const breach of breaches) console.log(`  ${breach}`);
    }
  };
  for await (const one of judgeProgramme(judged, mp4.get('programme')!)) note(one);
  note(...(await judgeTracks(judged, mp4)));
  const { finding, figures } = await judgeSync(judged, mp4, 'bob');
  note(finding);
  const print = table(['ms: least', 'median', 'most', 'times', 'what']);
  for (const { what, count, least, median, most } of figures) print([least, median, most, count, what]);
  const browser = await launchBrowser();
  try {
    const page = await RecordingPage.open(browser, server, host, stored.id);
    note(await judgePlayed(judged, page));
    await page.asSeen();
    note(await judgeSeen(judged, page));
  } finally {
    await browser.close();
  }
  return found;
}

/**
 * Scripted meetings that the product records: two people, then ten for three minutes. What is stored, saved and played
 * is compared with the script at every half second.
 */
const recording: Soak = async ({ only }) => {
  const lacks = missing ?? gstreamerMissing;
  if (lacks !== undefined) return { passed: false, verdict: `Not run: ${lacks}.` };
  const found: Finding[] = [];
  for (const [name, meeting] of Object.entries(MEETINGS)) {
    if (only !== undefined && only !== name) continue;
    // VP8 pictures are cards, as where there is no ffmpeg, so that a script says what is seen when.
    const server = await startServer({ env: { RMEET_RECORDER_CONVERSIONS: '0' } });
    const folder = mkdtempSync(join(tmpdir(), 'rmeet-recording-'));
    console.log(`${meeting.title}: ${folder}`);
    try {
      found.push(...(await judgeAll(meeting, await hold(server, meeting, folder))));
    } finally {
      await server.stop();
    }
  }
  const looks = found.reduce((sum, one) => sum + one.looks, 0);
  const wrong = found.reduce((sum, { breaches }) => sum + breaches.length, 0);
  return { passed: wrong === 0 && found.length > 0, verdict: `${looks} looks, ${wrong} wrong; ${load()}.` };
};
export default recording;
