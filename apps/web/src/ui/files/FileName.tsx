import './files.css';

/** Longer endings are part of the name. */
const LONGEST_ENDING = 8;

/** A name without its ending, and the ending with its dot; empty if there is none. */
export function partsOfName(name: string): [string, string] {
  const dot = name.lastIndexOf('.');
  const cut = dot > 0 && name.length - dot <= LONGEST_ENDING ? dot : name.length;
  return [name.slice(0, cut), name.slice(cut)];
}

/** A file name in one line: where space is short, its middle is left out and the ending stays. */
export function FileName({ name }: { name: string }) {
  const [stem, ending] = partsOfName(name);
  return (
    <span className="file-name" title={name}>
      <span>{stem}</span>
      <span>{ending}</span>
    </span>
  );
}
