import { MEDIA_LIMITS } from '@rmeet/contract';
import { useT } from '../texts.tsx';
import { bitrateText } from '../describe.ts';
import { ROW, type Graph, type GraphLink, type GraphNode } from './layout.ts';

const WIDTHS = { zone: 150, server: 150, terminal: 320, cascade: 320 } as const;
const HEIGHT = ROW - 8;

const levelOf = (loss: number | null): string =>
  loss === null
    ? 'unknown'
    : loss >= MEDIA_LIMITS.loss.bad
      ? 'bad'
      : loss >= MEDIA_LIMITS.loss.warning
        ? 'warning'
        : 'good';

/** The traffic of a link; empty for links that only show a location. */
const flowText = ({ up, down, loss }: GraphLink): string =>
  up === null ? '' : `↑ ${bitrateText(up)}  ↓ ${bitrateText(down)}${loss === null ? '' : `  ${loss.toFixed(1)} %`}`;

/** The graph as a picture; the lists beside it contain the same information as text. */
export function TopologyGraph({
  graph: { width, height, nodes, links },
  nameOf,
}: {
  graph: Graph;
  nameOf: (node: GraphNode) => string;
}) {
  const t = useT();
  const flows = new Map(links.map((link) => [link.to, flowText(link)]));
  return (
    <div className="topology-graph" tabIndex={0} role="group" aria-label={t('topology.graph')}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t('topology.graph')}
        data-testid="topology-graph"
      >
        {links.map((link) => {
          const { from, to, loss } = link;
          const [x, end] = [from.x + WIDTHS[from.kind], to.x];
          const middle = (x + end) / 2;
          return (
            <path
              key={`${from.id} ${to.id}`}
              className="topology-link"
              data-level={levelOf(loss)}
              d={`M${x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${end} ${to.y}`}
            />
          );
        })}
        {nodes.map((node) => (
          <g
            key={`${node.kind} ${node.id}`}
            className="topology-node"
            data-kind={node.kind}
            data-current={node.current}
            data-available={node.available}
          >
            <rect x={node.x} y={node.y - HEIGHT / 2} width={WIDTHS[node.kind]} height={HEIGHT} rx={6} />
            <foreignObject x={node.x + 8} y={node.y - HEIGHT / 2} width={WIDTHS[node.kind] - 16} height={HEIGHT}>
              <div className="topology-text">
                <span>{nameOf(node)}</span>
                {flows.get(node) && <small>{flows.get(node)}</small>}
              </div>
            </foreignObject>
          </g>
        ))}
      </svg>
    </div>
  );
}
