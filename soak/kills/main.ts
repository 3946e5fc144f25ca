import { load } from '../table.ts';
import { killWhileTelling } from './notices.ts';

/** The server process is killed over and over while meetings are booked: no notice may be lost. `--count` kills, `--seed`. */
export default async function kills({ count = 100, seed = 1 }: { count?: number; seed?: number }): Promise<{ passed: boolean; verdict: string }> {
  const { booked, recipients, mails, missed, unmarked, strangers } = await killWhileTelling({ kills: count, seed });
  const lost = [...missed, ...unmarked, ...strangers];
  console.log(`${count} kills, ${booked} meetings, ${recipients} recipients, ${mails} mails; ${load()}`);
  for (const address of lost.slice(0, 20)) console.log(`not as promised: ${address}`);
  if (recipients === 0) return { passed: false, verdict: 'Nothing could be booked between the kills.' };
  return { passed: lost.length === 0, verdict: lost.length === 0 ? 'Every notice went out and is marked.' : `${missed.length} missed, ${unmarked.length} not marked, ${strangers.length} to strangers.` };
}
