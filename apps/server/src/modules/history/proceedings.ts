import type { Move } from './stays.ts';

/** Verbs of roll calls, votes and the floor. */
export const PROCEEDINGS = ['giveFloor', 'rollCall', 'rollMark', 'vote', 'voteClose'] as const;

/** One item of the proceedings: who got the floor, how a person answered a roll call, or the result of a vote. */
export type Proceeding =
  | { kind: 'floor'; at: Date; name: string; seconds: number | null }
  | { kind: 'rollCall'; at: Date; name: string; mark: 'present' | 'absent' | null }
  | { kind: 'vote'; at: Date; question: string; option: string; count: number | null };

type Marks = Map<string, Extract<Proceeding, { kind: 'rollCall' }>>;
type Question = Extract<Proceeding, { kind: 'vote' }>[];

/**
 * The proceedings of a conference, by its log, in the order of their beginning. A vote has one item per option, without
 * counts if it was not closed; who voted for what is not part of it.
 *
 * @param commands of the verbs above, oldest first
 * @param names of terminals by termId
 */
export function proceedingsOf(commands: readonly Move[], names: ReadonlyMap<string, string>): Proceeding[] {
  const found: Proceeding[] = [];
  let marks: Marks = new Map();
  let question: Question = [];
  for (const { command, createdAt: at } of commands) {
    switch (command.verb) {
      case 'giveFloor':
        found.push({ kind: 'floor', at, name: names.get(command.termId) ?? '', seconds: command.seconds });
        break;
      case 'rollCall':
        marks = new Map(
          command.entries.map(({ termId, name }) => [termId, { kind: 'rollCall', at, name, mark: null }]),
        );
        found.push(...marks.values());
        break;
      case 'rollMark': {
        const entry = marks.get(command.termId);
        if (entry) entry.mark = command.mark;
        break;
      }
      case 'vote':
        question = command.options.map((option) => ({
          kind: 'vote',
          at,
          question: command.question,
          option,
          count: null,
        }));
        found.push(...question);
        break;
      case 'voteClose':
        question.forEach((one, place) => {
          one.count = command.counts[place] ?? 0;
        });
        break;
      default:
        break;
    }
  }
  return found;
}
