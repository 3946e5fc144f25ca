import './files.css';

/** Longer endings are part of the name. */
const LONGEST_ENDING = 8;

/** A file name in one line: where space is short, its middle is left out and the ending stays. */
export function FileName({ name }: { name: string }) {
  const dot = name.lastIndexOf('.');
  const cut = dot > 0 && name.length - dot <= LONGEST_ENDING ? dot : name.length;
  return (
    <span className="file-name" title={name}>
      <span>{name.slice(0, cut)}</span>
      <span>{name.slice(cut)}</span>
    </span>
  );
}
