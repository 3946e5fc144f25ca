import { useId, useState } from 'react';
import type { WaitingTerminal } from '@rmeet/contract';
import type { Call, Tile } from '../../../call/index.ts';
import { reportError } from '../../../lib/api/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../icons.tsx';
import { peopleOf } from '../model/people.ts';
import { useT } from '../texts.ts';
import { useStorePart } from '../use-store.ts';
import { Panel } from './Panel.tsx';

const NOBODY: readonly WaitingTerminal[] = [];

/** Who is here, who has a hand up, and who waits to be let in. */
export function PeoplePanel({ call, onClose }: { call: Call; onClose: () => void }) {
  const t = useT();
  const tiles = useStorePart(call.store, (state) => state.tiles);
  const waiting = useStorePart(call.store, (state) => state.conference?.waiting ?? NOBODY);
  const mayAdmit = useStorePart(call.store, (state) => state.conference?.me.can.admit ?? false);
  const [search, setSearch] = useState('');
  const people = peopleOf(tiles, '');
  const found = peopleOf(tiles, search);
  return (
    <Panel title={t('people.title', { count: people.length })} testId="people-panel" onClose={onClose}>
      {mayAdmit && waiting.length > 0 && <Waiting call={call} waiting={waiting} />}
      <div className="people-search">
        <Icon name="search" size={18} />
        <input type="search" value={search} placeholder={t('people.search')} aria-label={t('people.search')} data-testid="people-search" onChange={(event) => setSearch(event.target.value)} />
      </div>
      <ul className="people-list" aria-label={t('people.inMeeting')} tabIndex={0}>
        {found.length === 0 && <li className="people-nobody">{t('people.nobody')}</li>}
        {found.map((tile) => (
          <Person key={tile.key} tile={tile} />
        ))}
      </ul>
    </Panel>
  );
}

function Person({ tile }: { tile: Tile }) {
  const t = useT();
  return (
    <li className="person" data-testid="person">
      <span className="person-name">
        {tile.name}
        {tile.own && <span className="person-tag">{t('people.you')}</span>}
        {tile.role === 'host' && <span className="person-tag">{t('people.host')}</span>}
        {tile.role === 'guest' && <span className="person-tag">{t('people.guest')}</span>}
      </span>
      {tile.handRaisedAt !== null && <Sign icon="hand" text={t('room.handUp')} accent />}
      <Sign icon={tile.microphoneOn ? 'mic' : 'micOff'} text={t(tile.microphoneOn ? 'people.micOn' : 'people.micOff')} />
      <Sign icon={tile.video === null ? 'cameraOff' : 'camera'} text={t(tile.video === null ? 'people.cameraOff' : 'people.cameraOn')} />
    </li>
  );
}

function Sign({ icon, text, accent = false }: { icon: 'hand' | 'mic' | 'micOff' | 'camera' | 'cameraOff'; text: string; accent?: boolean }) {
  return (
    <span className={accent ? 'person-sign person-sign-accent' : 'person-sign'} title={text}>
      <Icon name={icon} size={18} />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

function Waiting({ call, waiting }: { call: Call; waiting: readonly WaitingTerminal[] }) {
  const t = useT();
  const id = useId();
  const decide = (termIds: string[], admit: boolean) => {
    call.admit(termIds, admit).catch(reportError);
  };
  return (
    <section className="waiting" aria-labelledby={id}>
      <div className="waiting-title">
        <h3 id={id}>{t('people.waiting', { count: waiting.length })}</h3>
        {waiting.length > 1 && (
          <Button kind="primary" data-testid="admit-all" onClick={() => decide(waiting.map((each) => each.termId), true)}>
            {t('people.admitAll')}
          </Button>
        )}
      </div>
      <ul>
        {waiting.map(({ termId, name }) => (
          <li key={termId} className="person" data-testid="waiting-person">
            <span className="person-name">{name}</span>
            <Button kind="quiet" aria-label={t('people.refuseOne', { name })} data-testid={`refuse-${termId}`} onClick={() => decide([termId], false)}>
              {t('people.refuse')}
            </Button>
            <Button kind="primary" aria-label={t('people.admitOne', { name })} data-testid={`admit-${termId}`} onClick={() => decide([termId], true)}>
              {t('people.admit')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
