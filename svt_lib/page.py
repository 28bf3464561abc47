"""What Jupyter widgets leave out for those who don't see the page, or don't use a mouse.

A slider's handle has no name, and says another number than the one beside it; new content of an HTML widget
isn't announced, the element that has the focus is hard to make out, and in dark themes the arrow of a choice
is black on black. Nothing of this can be set from Python, so a short script adds it. It travels in an Output
widget: a saved notebook holds nothing of it.
"""

import ipywidgets as widgets

#: Classes that `live` gives to its widgets, and by which the script finds them.
DEMO, LINE = "svt-demo", "svt-line"

SCRIPT = """
if (!window.svtPage) {
  const ARROW = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'%3E"
    + "%3Cpath d='M5 7l4 4 4-4' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E";
  const style = document.createElement('style');
  style.textContent = `
    .svt-demo :is(.noUi-handle, .widget-readout, select, input, button):focus-visible {
      outline: 3px solid var(--jp-ui-font-color1, #333) !important; outline-offset: 2px; }
    body[data-jp-theme-light="false"] .svt-demo { --jp-widgets-dropdown-arrow: url("${ARROW}"); }`;
  document.head.append(style);

  const complete = records => {
    for (const handle of document.querySelectorAll('.svt-demo .noUi-handle:not([aria-label])')) {
      const slider = handle.closest('.widget-slider');
      const name = slider.querySelector('.widget-label').textContent;
      handle.setAttribute('aria-label', name);
      const readout = slider.querySelector('.widget-readout');
      readout.setAttribute('role', 'textbox');
      readout.setAttribute('aria-label', name + ', as a number');
    }
    // What is read out would be 0.9999999999999999 where 1.00 stands beside the slider.
    for (const readout of document.querySelectorAll('.svt-demo .widget-slider .widget-readout')) {
      const handle = readout.closest('.widget-slider').querySelector('.noUi-handle');
      handle.setAttribute('aria-valuetext', readout.textContent);
    }
    // Notebook 7 takes the arrow keys before a slider gets them.
    for (const control of document.querySelectorAll('.svt-demo :is(.noUi-handle, select, input, button)')) {
      control.dataset.lmSuppressShortcuts = 'true';
    }
    // A live region has to be there before its text changes: the element that stays, not what is in it.
    for (const line of document.querySelectorAll('.svt-line .widget-html-content:not([role])')) {
      line.setAttribute('role', 'status');
    }
    // A longer sentence makes room that a shorter one keeps, so that what is below stays where it is.
    for (const line of records.map(record => record.target)) {
      if (line.matches('.svt-line .widget-html-content')) line.style.minHeight = line.offsetHeight + 'px';
    }
  };
  // Views come and go: cells run again, a second view is opened.
  window.svtPage = new MutationObserver(complete);
  window.svtPage.observe(document.body, {childList: true, subtree: true});
  complete([]);
}
"""


def helper() -> widgets.Output:
    """Return a widget that takes no place and runs the script, once for each page."""
    script = {"output_type": "display_data", "metadata": {}, "data": {"application/javascript": SCRIPT}}
    return widgets.Output(outputs=(script,), layout=widgets.Layout(display="none"))
