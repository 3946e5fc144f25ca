import { chatParts } from '../lib/chatLinks.ts';

/** A text whose safe links can be followed. */
export function LinkedText({ text }: { text: string }) {
  return chatParts(text).map((part) =>
    'href' in part ? (
      <a key={part.start} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
        {part.text}
      </a>
    ) : (
      part.text
    ),
  );
}
