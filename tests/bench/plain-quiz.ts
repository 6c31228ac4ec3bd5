/**
 * The floor of the quiz: 33 steps handwritten in 0.8 KB of plain JavaScript, prerendered, with our styles, font and
 * texts. It has answers, history and the 500 ms delay, and nothing else.
 */
import { pageOf } from './weights.ts'

export const PLAIN_SCRIPT = `let s=steps,m=document.querySelector('main'),q=location,h=history,n,sel,t,
a=JSON.parse(localStorage.a||'{}'),p=()=>new URLSearchParams(q.search).get('step')|0,
go=i=>{h.pushState(0,'','?step='+i);show()},
show=()=>{n=p();let x=s[n-1];if(!x)return;sel=[];scrollTo(0,0);
m.innerHTML='<div class="quiz-progress"><progress class="progress" max=33 value='+n+'></progress></div>'+
'<div class="step"><h1 class="step-title" tabindex=-1>'+x.t+'</h1><div class="options">'+
x.o.map(o=>'<button class="option" aria-pressed=false><span class="option-text">'+o+'</span></button>').join('')+
'</div>'+
(x.n?'<div class="button-bar"><button class="button"'+(x.o.length?' disabled':'')+'>'+x.n+'</button></div>':'')+
'</div>';m.querySelector('h1').focus()};
m.onclick=e=>{let b=e.target.closest('button'),x=s[n-1];if(!b||!x)return;
if(b.className=='button')return go(n+1);
let v=b.textContent;if(!x.m){sel=[];m.querySelectorAll('.option').forEach(o=>o.ariaPressed=false)}
sel=sel.includes(v)?sel.filter(o=>o!=v):[...sel,v];b.ariaPressed=sel.includes(v);a[n]=sel;
localStorage.a=JSON.stringify(a);
let k=m.querySelector('.button');if(k)k.disabled=!sel[0];else{clearTimeout(t);t=setTimeout(go,500,n+1)}};
onpopstate=show;show()`

interface Island {
  content: [unknown, { steps: [unknown, [unknown, Record<string, unknown>][]] }]
}
/** Unwraps a value of Astro's props: [type, value], with nested arrays and objects. */
function plain(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const [type, inner] = value as [number, unknown]
  if (type === 1) return (inner as unknown[]).map(plain)
  if (inner && typeof inner === 'object') {
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, plain(one)]))
  }
  return inner
}

/** The plain quiz as a page, made of the built one: its head and styles, its first screen, its texts. */
export function plainQuiz(dist: string): string {
  const html = pageOf(dist, 'quiz')
  const head = /<head>[\s\S]*?<\/head>/.exec(html)?.[0].replace(/<script[\s\S]*?<\/script>/g, '') ?? ''
  const props = /<astro-island[^>]*\sprops="([^"]*)"/.exec(html)?.[1] ?? ''
  const island = JSON.parse(
    props.replaceAll('&quot;', '"').replaceAll('&#38;', '&').replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  ) as Island
  const { steps } = plain(island.content) as { steps: Record<string, unknown>[] }
  const small = steps.map((step) => {
    const options = (step.options as { label: string }[] | undefined)?.map(({ label }) => label) ?? []
    const next = step.multiSelect || step.showNext ? 'Next' : options.length ? '' : 'Continue'
    return { t: step.title, o: options, n: next, ...(step.multiSelect ? { m: 1 } : {}) }
  })
  const welcome = /<div class="welcome">[\s\S]*?<\/form>/.exec(html)?.[0] ?? ''
  const header = /<header[\s\S]*?<\/header>/.exec(html)?.[0] ?? ''
  return (
    `<!doctype html><html lang="en">${head}<body>${header}<main id="main" class="column ` +
    `quiz">${welcome}</div></main><script>const ` +
    `steps=${JSON.stringify(small)};${PLAIN_SCRIPT}</script></body></html>`
  )
}

/** The floor of the landing page: the built one without any script. */
export function plainLanding(dist: string): string {
  return pageOf(dist, '').replace(/<script(?![^>]*application\/)[\s\S]*?<\/script>/g, '')
}
