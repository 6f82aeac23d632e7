/** Answers with a link to the archived capture beside each. */
import type { ReplayLink } from '../../http/replay-link.ts';
import type { PageAnswer } from '../../schemas/answers/index-answers.ts';
import type {
  HistoryAnswer,
  LostAnswer,
  MovedAnswer,
  MovedCandidateAnswer,
  SeenAnswer,
} from '../../schemas/answers/time-answers.ts';

export function replayedPage(page: PageAnswer, link: ReplayLink): PageAnswer {
  return { ...page, sweeps: page.sweeps.map((sweep) => replayed(sweep, page.url, link)) };
}

export function replayedHistory(history: HistoryAnswer, link: ReplayLink): HistoryAnswer {
  const { url, captures } = history;
  return {
    ...replayedSeen(history, link),
    captures: captures.map((capture) => replayed(capture, url, link)),
  };
}

export function replayedMoved(moved: MovedAnswer, link: ReplayLink): MovedAnswer {
  const { url, lost, candidates } = moved;
  return {
    ...replayedSeen(moved, link),
    lost: lost && replayed(lost, url, link),
    candidates: candidates.map((one) => replayedSeen(one, link)),
  };
}

export function replayedLost(lost: LostAnswer, link: ReplayLink): LostAnswer {
  return {
    ...lost,
    pages: lost.pages.map((page) => {
      return { ...replayedSeen(page, link), candidate: page.candidate && replayedSeen(page.candidate, link) };
    }),
  };
}

type Seen = Pick<MovedCandidateAnswer, 'url' | 'last_seen'>;

function replayedSeen<Answer extends Seen>(answer: Answer, link: ReplayLink): Answer {
  const { url, last_seen: seen } = answer;
  return { ...answer, last_seen: seen && replayed(seen, url, link) };
}

function replayed<Capture extends Pick<SeenAnswer, 'fetched_at' | 'replay_url'>>(
  capture: Capture,
  url: string,
  link: ReplayLink,
): Capture {
  return { ...capture, replay_url: link(url, capture.fetched_at) };
}
