import type { ConferenceTopology } from '@rmeet/contract';

export interface GraphNode {
  id: string;
  kind: 'zone' | 'server' | 'terminal' | 'cascade';
  name: string;
  x: number;
  y: number;
  /** Whether the conference runs there. */
  current: boolean;
  available: boolean;
}

export interface GraphLink {
  from: GraphNode;
  to: GraphNode;
  up: number | null;
  down: number | null;
  loss: number | null;
}

export interface Graph {
  width: number;
  height: number;
  nodes: GraphNode[];
  links: GraphLink[];
}

const COLUMN = { zone: 16, server: 220, terminal: 480, cascade: 480 } as const;
export const ROW = 34;
const WIDTH = 820;
const MARGIN = 12;

/**
 * Zones, their media servers and the terminals of these, in three columns from left to right; parents are centred on
 * their children.
 */
export function layeredGraph({ zones, terminals, cascades, mcuZoneId, mcuId }: ConferenceTopology): Graph {
  const nodes: GraphNode[] = [];
  const links: GraphLink[] = [];
  let row = 0;
  const yOf = (at: number): number => MARGIN + at * ROW + ROW / 2;
  const leaves = [
    ...terminals.map((one) => ({ ...one, id: one.termId, kind: 'terminal' as const })),
    ...cascades.map((one) => ({ ...one, mcuId: null, kind: 'cascade' as const })),
  ];
  for (const zone of zones) {
    const isHere = zone.mcuZoneId === mcuZoneId;
    const first = row;
    const servers: GraphNode[] = [];
    for (const { mcuId: id, state } of zone.mcus) {
      const begin = row;
      const isHost = isHere && id === (mcuId ?? zone.mcus[0]?.mcuId);
      const server: GraphNode = {
        id,
        kind: 'server',
        name: id,
        x: COLUMN.server,
        y: 0,
        current: isHost,
        available: state === 'up' || state === 'full',
      };
      for (const leaf of isHost ? leaves : []) {
        const node: GraphNode = {
          id: leaf.id,
          kind: leaf.kind,
          name: leaf.name,
          x: COLUMN[leaf.kind],
          y: yOf(row),
          current: true,
          available: true,
        };
        row += 1;
        nodes.push(node);
        links.push({ from: server, to: node, up: leaf.up, down: leaf.down, loss: leaf.loss });
      }
      if (row === begin) row += 1;
      server.y = (yOf(begin) + yOf(row - 1)) / 2;
      servers.push(server);
    }
    if (row === first) row += 1;
    const node: GraphNode = {
      id: zone.mcuZoneId,
      kind: 'zone',
      name: zone.name,
      x: COLUMN.zone,
      y: (yOf(first) + yOf(row - 1)) / 2,
      current: isHere,
      available: zone.available,
    };
    nodes.push(node, ...servers);
    for (const server of servers) links.push({ from: node, to: server, up: null, down: null, loss: null });
  }
  return { width: WIDTH, height: MARGIN * 2 + row * ROW, nodes, links };
}
