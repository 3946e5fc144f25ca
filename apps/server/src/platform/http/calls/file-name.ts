const LONGEST = 120;
const LONGEST_ENDING = 16;
/** What browsers send instead of quotation marks and line breaks in names. */
const ESCAPED = /%(?:22|0D|0A)/g;
/**
 * Control characters, marks that change the writing direction, and characters that file systems do not allow in names.
 */
const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu;

/**
 * The file name that was sent, sanitised for display and saving: no folders, no invisible characters, limited length.
 */
export function fileNameOf(sent: string | undefined): string {
  const last = (sent ?? '').toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const name = last
    .replace(ESCAPED, '')
    .replace(UNFIT, '')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  if (name === '') return 'file';
  const letters = Array.from(name);
  if (letters.length <= LONGEST) return name;
  const dot = letters.lastIndexOf('.');
  const ending = dot > 0 && letters.length - dot <= LONGEST_ENDING ? letters.slice(dot) : [];
  return [...letters.slice(0, LONGEST - ending.length), ...ending].join('');
}
