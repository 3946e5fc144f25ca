import { FIRST, type Answers } from './answers.ts';

const KEY = 'setupDraft';
const LONGEST = 200;

/** The stored values: never passwords. */
const KEPT = [
  'operatorAccount',
  'operatorName',
  'organisation',
  'adminAccount',
  'adminName',
] as const satisfies (keyof Answers)[];

/** The values without passwords, as text for the hash of a URL. */
export function packAnswers(answers: Answers): string {
  const json = JSON.stringify(KEPT.map((name) => answers[name]));
  const bytes = new TextEncoder().encode(json);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** The values from such a text; defaults for missing ones. */
export function unpackAnswers(packed: string): Answers {
  const answers = { ...FIRST };
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    const values: unknown = JSON.parse(new TextDecoder().decode(bytes));
    for (const [index, name] of KEPT.entries()) {
      const value: unknown = Array.isArray(values) ? values[index] : undefined;
      if (typeof value === 'string' && value.length <= LONGEST) answers[name] = value;
    }
  } catch {
    // Foreign or truncated text: the form starts empty.
  }
  return answers;
}

/** Stores the values without passwords, so that they survive a reload of this tab. */
export function keepAnswers(answers: Answers): void {
  keepPacked(packAnswers(answers));
}

export function keepPacked(packed: string): void {
  sessionStorage.setItem(KEY, packed);
}

export function keptAnswers(): Answers {
  return unpackAnswers(sessionStorage.getItem(KEY) ?? '');
}

export function forgetAnswers(): void {
  sessionStorage.removeItem(KEY);
}
