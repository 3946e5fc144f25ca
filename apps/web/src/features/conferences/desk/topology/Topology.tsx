import type { ConferenceTopology } from '@rmeet/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { ErrorState, Loading } from '../../../../ui/states.tsx';
import { sendCommand } from '../../shared/commands.ts';
import { useDesk, useDeskPart, useRights } from '../context.ts';
import { interruptionOf } from '../model/log.ts';
import { useNames } from '../side/useNames.ts';
import { useT, type T } from '../texts.tsx';
import { bitrateText } from '../describe.ts';
import { layeredGraph } from './layout.ts';
import { TopologyGraph } from './TopologyGraph.tsx';
import './topology.css';

const EVERY = 2_000;

/** The selection: a zone to move to, or a media server to rebuild on. */
type Choice = { kind: 'zone' | 'server'; id: string } | null;

/** A zone's name: as configured, or the product's term for this server's own zone. */
const zoneName = (name: string, t: T): string => (name === '' ? t('topology.own') : name);

/** Where the conference runs and its media flows, live; and the controls to move it. */
export function Topology() {
  const t = useT();
  const { meetId, api } = useDesk();
  const found = useQuery({
    queryKey: ['topology', meetId],
    queryFn: () => api.readConfTopo({ query: { meetId } }),
    refetchInterval: EVERY,
    meta: { quiet: 'unloaded' },
  });
  if (found.isPending) return <Loading />;
  if (!found.data) return <ErrorState retry={() => void found.refetch()} />;
  return (
    <>
      <Migration topology={found.data} onMoved={() => void found.refetch()} />
      <TopologyGraph
        graph={layeredGraph(found.data)}
        nameOf={(node) => (node.kind === 'zone' ? zoneName(node.name, t) : node.name)}
      />
      <Terminals topology={found.data} />
    </>
  );
}

/** The zones and servers as a list to choose from, and the action for the choice. */
function Migration({ topology, onMoved }: { topology: ConferenceTopology; onMoved: () => void }) {
  const t = useT();
  const { meetId, api } = useDesk();
  const rights = useRights();
  const [choice, setChoice] = useState<Choice>(null);
  const [asks, setAsks] = useState(false);
  const { mcuZoneId } = topology;
  const move = useMutation({
    mutationFn: ({ kind, id }: NonNullable<Choice>) =>
      sendCommand(
        api,
        meetId,
        kind === 'zone' && id !== mcuZoneId
          ? { verb: 'moveZone', fromZoneId: mcuZoneId, zoneId: id }
          : { verb: 'reset', mcuIds: kind === 'server' ? [id] : [] },
      ),
    onSettled: onMoved,
  });
  const isMove = choice?.kind === 'zone' && choice.id !== mcuZoneId;
  return (
    <section className="topology-moving" aria-label={t('topology.places')}>
      <ZoneList
        topology={topology}
        choice={choice}
        onChoose={(chosen) => {
          setChoice(chosen);
          setAsks(false);
        }}
      />
      {rights.may('moveZone') && !asks && (
        <Button
          kind="primary"
          disabled={choice === null}
          busy={move.isPending}
          data-testid="topology-act"
          onClick={() => setAsks(true)}
        >
          {t(isMove ? 'topology.move' : 'topology.rebuild')}
        </Button>
      )}
      {asks && choice && (
        <Question
          isMove={isMove}
          onCancel={() => setAsks(false)}
          onConfirm={() => {
            setAsks(false);
            move.mutate(choice);
          }}
        />
      )}
      <Progress />
    </section>
  );
}

interface ZoneListProps {
  topology: ConferenceTopology;
  choice: Choice;
  onChoose: (choice: NonNullable<Choice>) => void;
}

/** The zones and their servers; one can be chosen. */
function ZoneList({ topology: { mcuZoneId, mcuId, zones }, choice, onChoose }: ZoneListProps) {
  const t = useT();
  const option = (kind: 'zone' | 'server', id: string, label: string, isHere: boolean, disabled: boolean) => (
    <ZoneOption
      choice={{ kind, id }}
      label={label}
      isHere={isHere}
      isChosen={choice?.kind === kind && choice.id === id}
      disabled={disabled}
      onChoose={onChoose}
    />
  );
  return (
    <ul className="topology-zones">
      {zones.map((zone) => (
        <li key={zone.mcuZoneId}>
          {option(
            'zone',
            zone.mcuZoneId,
            zone.available ? zoneName(zone.name, t) : t('topology.away', { name: zoneName(zone.name, t) }),
            zone.mcuZoneId === mcuZoneId,
            !zone.available,
          )}
          <ul>
            {zone.mcus.map((server) => (
              <li key={server.mcuId}>
                {option(
                  'server',
                  server.mcuId,
                  t(`topology.server.${server.state}`, { name: server.mcuId, load: server.load ?? 0 }),
                  server.mcuId === mcuId,
                  zone.mcuZoneId !== mcuZoneId || server.state !== 'up',
                )}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

interface ZoneOptionProps {
  choice: NonNullable<Choice>;
  label: string;
  isHere: boolean;
  isChosen: boolean;
  disabled: boolean;
  onChoose: ZoneListProps['onChoose'];
}

function ZoneOption({ choice, label, isHere, isChosen, disabled, onChoose }: ZoneOptionProps) {
  const t = useT();
  return (
    <label className="topology-choice" data-current={isHere}>
      <input
        type="radio"
        name="topology-choice"
        checked={isChosen}
        disabled={disabled}
        data-testid={`topology-${choice.kind}-${choice.id}`}
        onChange={() => onChoose(choice)}
      />
      <span>
        {label}
        {isHere && <em> {t('topology.here')}</em>}
      </span>
    </label>
  );
}

interface QuestionProps {
  isMove: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

/** Asks for confirmation before a move or a rebuild. */
function Question({ isMove, onCancel, onConfirm }: QuestionProps) {
  const t = useT();
  return (
    <div
      className="topology-question"
      role="alertdialog"
      aria-labelledby="topology-question"
      data-testid="topology-question"
    >
      <p id="topology-question">{t(isMove ? 'topology.moveAsk' : 'topology.rebuildAsk')}</p>
      <div className="desk-form-buttons">
        <Button autoFocus data-testid="topology-cancel" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button kind="danger" data-testid="topology-ok" onClick={onConfirm}>
          {t(isMove ? 'topology.move' : 'topology.rebuild')}
        </Button>
      </div>
    </div>
  );
}

/** Progress of the newest move, as reported by the terminals. */
function Progress() {
  const t = useT();
  const nameOf = useNames();
  const newest = useDeskPart(({ state }) => state.commands.find(({ verb }) => verb === 'moveZone' || verb === 'reset'));
  if (!newest) return null;
  const { back, missing, median, p95, worst } = interruptionOf(newest.affected, newest.acknowledgements);
  return (
    <div
      className="topology-progress"
      role="status"
      data-testid="topology-progress"
      data-back={back}
      data-missing={missing.length}
    >
      <p>{t('topology.progress', { back, all: newest.affected.length })}</p>
      {worst !== null && (
        <p data-testid="topology-gaps">{t('topology.gaps', { median: median ?? 0, p95: p95 ?? 0, worst })}</p>
      )}
      {missing.length > 0 && (
        <p>
          {t('topology.missing', {
            names: missing.map((termId) => nameOf(termId) ?? t('log.somebody')).join(t('log.comma')),
          })}
        </p>
      )}
    </div>
  );
}

/** The same information as the graph's links, for screen readers. */
function Terminals({ topology: { terminals } }: { topology: ConferenceTopology }) {
  const t = useT();
  if (terminals.length === 0) return <p className="desk-nothing">{t('topology.nobody')}</p>;
  return (
    <table className="topology-terminals" data-testid="topology-terminals">
      <caption className="visually-hidden">{t('topology.flows')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('topology.terminal')}</th>
          <th scope="col">{t('topology.up')}</th>
          <th scope="col">{t('topology.down')}</th>
          <th scope="col">{t('topology.loss')}</th>
        </tr>
      </thead>
      <tbody>
        {terminals.map(({ termId, name, up, down, loss }) => (
          <tr key={termId} data-testid={`topology-term-${termId}`}>
            <th scope="row">{name}</th>
            <td>{bitrateText(up)}</td>
            <td>{bitrateText(down)}</td>
            <td>{loss === null ? '–' : `${loss.toFixed(1)} %`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
