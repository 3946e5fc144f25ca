import { announcementBlocks, isOwnPath, type TextBlock, type TextRun } from '@rmeet/contract';
import type { ReactNode } from 'react';
import './announcementText.css';

/** Items with their position as key: they never change their order. */
const keyed = <T,>(items: readonly T[]): { key: string; item: T }[] =>
  items.map((item, at) => ({ key: String(at), item }));

/** The text of an announcement. It is read as data, so no markup of its author reaches the page. */
export function AnnouncementText({ body }: { body: string }) {
  return (
    <div className="announcement-text">
      {keyed(announcementBlocks(body)).map(({ key, item }) => (
        <Block key={key} block={item} />
      ))}
    </div>
  );
}

function Block({ block: { kind, lines } }: { block: TextBlock }): ReactNode {
  if (kind === 'list' || kind === 'numbered') {
    const List = kind === 'list' ? 'ul' : 'ol';
    return (
      <List>
        {keyed(lines).map(({ key, item }) => (
          <li key={key}>
            <Runs runs={item} />
          </li>
        ))}
      </List>
    );
  }
  const shown = keyed(lines).map(({ key, item }) => (
    <span key={key}>
      <Runs runs={item} />
    </span>
  ));
  return kind === 'heading' ? <p className="announcement-heading">{shown}</p> : <p>{shown}</p>;
}

function Runs({ runs }: { runs: readonly TextRun[] }) {
  return keyed(runs).map(({ key, item: { text, isBold, href } }) => {
    if (href !== null)
      return (
        <AnnouncementLink key={key} href={href}>
          {text}
        </AnnouncementLink>
      );
    return isBold ? <strong key={key}>{text}</strong> : <span key={key}>{text}</span>;
  });
}

/** A link of an announcement: own pages open here, others in a new tab that knows nothing of this one. */
export function AnnouncementLink({ href, children }: { href: string; children: ReactNode }) {
  const elsewhere = isOwnPath(href) ? {} : { target: '_blank', rel: 'noopener noreferrer nofollow' };
  return (
    <a href={href} {...elsewhere}>
      {children}
    </a>
  );
}
