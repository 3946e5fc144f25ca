import { allowancesOf } from '@rmeet/conference';
import { useState } from 'react';
import type { WaitingTerminal } from '@rmeet/contract';
import type { Call, Tile } from '../../../call/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon, type IconName } from '../../../ui/icons.tsx';
import { peopleOf } from './model/people.ts';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';
import { PeopleDialogs, RenameSelfDialog, type PeopleDialog } from './control/PeopleDialogs.tsx';
import { PersonMenu } from './control/PersonMenu.tsx';
import { SelectionBar } from './control/SelectionBar.tsx';
import type { Control } from './control/useControl.ts';
import { WaitingList } from './control/WaitingList.tsx';
import { Panel } from './Panel.tsx';

const NOBODY: readonly WaitingTerminal[] = [];

/** Participants, raised hands and people waiting for admission; for a chair, with the controls. */
export function PeoplePanel({ call, control, onClose }: { call: Call; control: Control; onClose: () => void }) {
  const t = useT();
  const tiles = useStorePart(call.store, (state) => state.tiles);
  const state = useStorePart(call.store, (snapshot) => snapshot.control);
  const waiting = useStorePart(call.store, (snapshot) => snapshot.conference?.waiting ?? NOBODY);
  const mayAdmit = useStorePart(call.store, (snapshot) => snapshot.conference?.me.can.admit ?? false);
  const mayControl = useStorePart(call.store, (snapshot) => snapshot.conference?.me.can.control ?? false);
  const [search, setSearch] = useState('');
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null);
  const [dialog, setDialog] = useState<PeopleDialog | null>(null);
  const people = peopleOf(tiles, state, '');
  const found = peopleOf(tiles, state, search);
  const chosen = people.filter(({ termId }) => selected?.has(termId) === true);
  const select = (termId: string, on: boolean) =>
    setSelected(
      (before) => new Set(on ? [...(before ?? []), termId] : [...(before ?? [])].filter((each) => each !== termId)),
    );
  return (
    <Panel title={t('people.title', { count: people.length })} testId="people-panel" onClose={onClose}>
      {mayAdmit && waiting.length > 0 && <WaitingList waiting={waiting} control={control} onDialog={setDialog} />}
      {mayControl && <RaisedHands people={people} control={control} />}
      <div className="people-find">
        <SearchInput value={search} onChange={setSearch} />
        {mayControl && (
          <SelectToggle on={selected !== null} onToggle={() => setSelected(selected === null ? new Set() : null)} />
        )}
      </div>
      {mayControl && selected !== null && (
        <SelectionBar people={chosen} control={control} onDialog={setDialog} onDone={() => setSelected(null)} />
      )}
      <ul className="people-list" aria-label={t('people.inMeeting')} tabIndex={0}>
        {found.length === 0 && <li className="people-nobody">{t('people.nobody')}</li>}
        {found.map((tile) => (
          <li key={tile.key} className="person" data-testid="person">
            {mayControl && selected !== null && !tile.own && (
              <input
                type="checkbox"
                className="person-select"
                aria-label={t('control.selectOne', { name: tile.name })}
                data-testid={`select-${tile.termId}`}
                checked={selected.has(tile.termId)}
                onChange={(event) => select(tile.termId, event.target.checked)}
              />
            )}
            <Person tile={tile} />
            {tile.own && <RenameSelf call={call} name={tile.name} />}
            {mayControl && <PersonMenu call={call} send={control.send} tile={tile} onDialog={setDialog} />}
          </li>
        ))}
      </ul>
      {dialog !== null && <PeopleDialogs dialog={dialog} control={control} onClose={() => setDialog(null)} />}
    </Panel>
  );
}

/** How many hands are raised, and a button that lowers them. */
function RaisedHands({ people, control: { send } }: { people: readonly Tile[]; control: Control }) {
  const t = useT();
  const termIds = people.flatMap(({ termId, handRaisedAt }) => (handRaisedAt === null ? [] : [termId]));
  if (termIds.length === 0) return null;
  return (
    <div className="people-hands" data-testid="raised-hands">
      <span>
        <Icon name="hand" size={18} /> {t('hands.raised', { count: termIds.length })}
      </span>
      <Button kind="quiet" data-testid="lower-all" onClick={() => void send({ verb: 'lowerHands', termIds })}>
        {t('hands.lowerThem')}
      </Button>
    </div>
  );
}

/** For guests, while the chair allows it. People who control the meeting have this in their menu. */
function RenameSelf({ call, name }: { call: Call; name: string }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const isAllowed = useStorePart(
    call.store,
    ({ conference, control }) =>
      conference?.me.role === 'guest' && !conference.me.can.control && allowancesOf(control).selfRename,
  );
  if (!isAllowed) return null;
  return (
    <>
      <button
        type="button"
        className="room-icon-button"
        aria-label={t('hostMenu.renameSelf')}
        title={t('hostMenu.renameSelf')}
        data-testid="rename-self-open"
        onClick={() => setOpen(true)}
      >
        <Icon name="edit" size={18} />
      </button>
      {isOpen && <RenameSelfDialog call={call} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function SearchInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useT();
  return (
    <div className="people-search">
      <Icon name="search" size={18} />
      <input
        type="search"
        value={value}
        placeholder={t('people.search')}
        aria-label={t('people.search')}
        data-testid="people-search"
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** Switches the selection of several people on and off. */
function SelectToggle({ on, onToggle }: { on: boolean; onToggle: () => void }) {
  const t = useT();
  return (
    <button
      type="button"
      className="room-icon-button people-select"
      aria-pressed={on}
      aria-label={t('control.select')}
      title={t('control.select')}
      data-testid="people-select"
      onClick={onToggle}
    >
      <Icon name="select" size={20} />
    </button>
  );
}

function Person({ tile }: { tile: Tile }) {
  const t = useT();
  return (
    <>
      <span className="person-name">
        {tile.name}
        {tile.own && <Tag text={t('people.you')} />}
        {tile.part !== null && <Tag text={t(`people.${tile.part}`)} strong />}
        {tile.role === 'host' && tile.part === null && <Tag text={t('people.host')} />}
        {tile.role === 'guest' && <Tag text={t('people.guest')} />}
        {tile.onAir && <Tag text={t('people.onAir')} onAir />}
      </span>
      {tile.handPlace !== null && (
        <span className="person-hand" title={t('hands.place', { place: tile.handPlace })} data-testid="hand-in-line">
          <Icon name="hand" size={18} />
          <span aria-hidden="true">{tile.handPlace}</span>
          <span className="visually-hidden">{t('hands.place', { place: tile.handPlace })}</span>
        </span>
      )}
      <MediaSigns tile={tile} />
    </>
  );
}

function MediaSigns({ tile: { muted, microphoneOn, cameraOff, video } }: { tile: Tile }) {
  const t = useT();
  const microphone = muted ? 'people.micHeld' : microphoneOn ? 'people.micOn' : 'people.micOff';
  const camera = cameraOff ? 'people.cameraHeld' : video === null ? 'people.cameraOff' : 'people.cameraOn';
  return (
    <>
      <Sign icon={microphoneOn && !muted ? 'mic' : 'micOff'} text={t(microphone)} look={muted ? 'held' : 'plain'} />
      <Sign
        icon={video === null || cameraOff ? 'cameraOff' : 'camera'}
        text={t(camera)}
        look={cameraOff ? 'held' : 'plain'}
      />
    </>
  );
}

function Tag({ text, strong = false, onAir = false }: { text: string; strong?: boolean; onAir?: boolean }) {
  const classes = ['person-tag', strong ? 'person-tag-strong' : '', onAir ? 'person-tag-on-air' : ''];
  return <span className={classes.filter(Boolean).join(' ')}>{text}</span>;
}

function Sign({ icon, text, look }: { icon: IconName; text: string; look: 'plain' | 'held' }) {
  return (
    <span className={`person-sign person-sign-${look}`} title={text}>
      <Icon name={icon} size={18} />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
