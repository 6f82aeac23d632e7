import { type Html, html } from '../../service/http/markup.ts';
import type { Context } from '../context.ts';

/** What the owner of a page copies into it to show its related pages. */
export function embedSnippet({ origin, href }: Context, url: string): Html {
  const lines = [
    `<script type="module" src="${origin}${href('/embed.js')}"></script>`,
    `<akin-related url="${attribute(url)}" limit="5">`,
    '</akin-related>',
  ];
  return html`<section aria-labelledby="embed">
<h2 id="embed">Show this on your page</h2>
<p class="facts">These three lines list the related pages wherever you put them.</p>
<pre class="snippet" tabindex="0"><code>${lines.join('\n')}</code></pre>
</section>`;
}

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
