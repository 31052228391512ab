// Counts the requests and how long their answers took. Labels have few values, none of which a client can choose.
import type { Metrics } from '../../metrics/metrics.ts';

/**
 * `route`: the pattern of the address, undefined where none takes it. `ms`: from the request to the end of its answer;
 * undefined for one that ends only with its connection.
 */
export type CountRequest = (
  route: string | undefined,
  method: string,
  status: number,
  ms: number | undefined,
) => void;

/** Of a route or a method that this service does not have. */
const OTHER = 'other';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
/** In seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function requestCounter(metrics: Metrics): CountRequest {
  const requests = metrics.counter(
    'pocketwatch_http_requests_total',
    'Requests that were answered, by the pattern of their address, method and status.',
    ['route', 'method', 'code'],
  );
  const durations = metrics.histogram(
    'pocketwatch_http_request_duration_seconds',
    'Time from a request to the end of its answer; live streams are left out.',
    ['route'],
    BOUNDS,
  );
  return (route = OTHER, method, status, ms) => {
    requests.add(1, route, METHODS.has(method) ? method : OTHER, status);
    if (ms !== undefined) durations.observe(ms / 1000, route);
  };
}

/** Counts the calls of these tools; those of names that no tool has are one. */
export function toolCallCounter(metrics: Metrics, tools: readonly string[]): (tool: string) => void {
  const calls = metrics.counter('pocketwatch_mcp_tool_calls_total', 'Calls of tools over MCP.', ['tool']);
  const known = new Set(tools);
  for (const tool of tools) calls.declare(tool);
  return (tool) => calls.add(1, known.has(tool) ? tool : OTHER);
}
