/*
 * Charts as SVG: axes with round ticks, lines, bars and dots. Colours are those of the page's
 * style, so that they follow light, dark and print; lines also differ in their dashes, dots in
 * their form.
 *
 * Invariant: only finite numbers are drawn.
 */
#include "render/pieces.h"
#include "render/report.h"

#include <math.h>

enum { WIDTH = 480, HEIGHT = 300, LEFT = 56, RIGHT = 468, TOP = 14, BOTTOM = 248, MOST_TICKS = 12 };

static double on_axis(double value, double low, double high, bool is_log) {
    if (is_log)
        return (hcbr_i_log(value) - hcbr_i_log(low)) / (hcbr_i_log(high) - hcbr_i_log(low));
    return (value - low) / (high - low);
}

double hcbr_i_chart_x(const hcbr_i_chart *c, double x) {
    return LEFT + (RIGHT - LEFT) * on_axis(x, c->x_low, c->x_high, c->x_log);
}

double hcbr_i_chart_y(const hcbr_i_chart *c, double y) {
    return BOTTOM - (BOTTOM - TOP) * on_axis(y, c->y_low, c->y_high, false);
}

static void put_place(hcbr_writer *w, double value) {
    hcbr_i_put_printed(w, 'f', 1, value);
}

static void put_attribute(hcbr_writer *w, const char *name, double value) {
    HTML(w, NULL, OURS(" "), OURS(name), OURS("=\""));
    put_place(w, value);
    hcbr_i_html(w, "\"");
}

/* A step of 1, 2 or 5 times a power of ten that gives about five ticks. */
static double step_of(double low, double high) {
    double wanted = (high - low) / 5, power = 1;
    while (power > wanted)
        power /= 10;
    while (power * 10 <= wanted)
        power *= 10;
    return wanted <= power       ? power
           : wanted <= 2 * power ? 2 * power
           : wanted <= 5 * power ? 5 * power
                                 : 10 * power;
}

static void put_tick(hcbr_writer *w, const hcbr_i_chart *c, double value, bool is_x) {
    double x = is_x ? hcbr_i_chart_x(c, value) : LEFT, y = is_x ? BOTTOM : hcbr_i_chart_y(c, value);
    char text[HCBR_NUMBER_SIZE];
    hcbr_i_html(w, "<line class=\"grid\"");
    put_attribute(w, "x1", x);
    put_attribute(w, "y1", is_x ? TOP : y);
    put_attribute(w, "x2", is_x ? x : RIGHT);
    put_attribute(w, "y2", y);
    hcbr_i_html(w, is_x ? "/><text text-anchor=\"middle\"" : "/><text text-anchor=\"end\"");
    put_attribute(w, "x", is_x ? x : LEFT - 6);
    put_attribute(w, "y", is_x ? BOTTOM + 16 : y + 4);
    hcbr_i_html(w, ">");
    hcbr_i_put(w, text, hcbr_number_round(text, fabs(value) < 1e-12 ? 0 : value, 4));
    hcbr_i_html(w, "</text>");
}

static void put_ticks(hcbr_writer *w, const hcbr_i_chart *c, bool is_x) {
    double low = is_x ? c->x_low : c->y_low, high = is_x ? c->x_high : c->y_high;
    if (is_x && c->x_log) {
        double power = 1e-12;
        for (int n = 0; n < 60 && power <= high * 1.000001; n++) {
            if (power >= low * 0.999999)
                put_tick(w, c, power, true);
            power *= 10;
        }
        return;
    }
    double step = step_of(low, high), first = ceil(low / step - 1e-9);
    for (int n = 0; n < MOST_TICKS && (first + n) * step <= high + step * 1e-9; n++)
        put_tick(w, c, (first + n) * step, is_x);
}

void hcbr_i_chart_begin(hcbr_writer *w, const hcbr_i_chart *c) {
    HTML(w, NULL, OURS("<figure><figcaption>"), OURS(c->title),
         OURS("</figcaption>\n<svg viewBox=\"0 0 480 300\" role=\"img\" aria-label=\"Chart: "),
         OURS(c->title), OURS("; its numbers are in the table below\">\n"));
    if (!c->no_x_tick)
        put_ticks(w, c, true);
    put_ticks(w, c, false);
    HTML(w, NULL,
         OURS("<line class=\"axis\" x1=\"56\" y1=\"248\" x2=\"468\" y2=\"248\"/><line "
              "class=\"axis\" x1=\"56\" y1=\"14\" x2=\"56\" y2=\"248\"/>\n<text "
              "text-anchor=\"middle\" x=\"262\" y=\"288\">"),
         OURS(c->x_name),
         OURS("</text><text text-anchor=\"middle\" transform=\"translate(13 131) "
              "rotate(-90)\">"),
         OURS(c->y_name), OURS("</text>\n"));
}

void hcbr_i_chart_end(hcbr_writer *w) {
    hcbr_i_html(w, "</svg>\n");
}

void hcbr_i_figure_end(hcbr_writer *w) {
    hcbr_i_html(w, "</figure>\n");
}

static bool is_drawn(const hcbr_i_chart *c, double x, double y) {
    return isfinite(x) && isfinite(y) && (!c->x_log || x > 0);
}

static double inside(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

void hcbr_i_chart_dot(hcbr_writer *w, const hcbr_i_chart *c, double x, double y,
                      const char *style) {
    if (!is_drawn(c, x, y))
        return;
    double px = hcbr_i_chart_x(c, inside(x, c->x_low, c->x_high));
    double py = hcbr_i_chart_y(c, inside(y, c->y_low, c->y_high));
    if (strcmp(style, "wrong") == 0) { // a cross: not marked by colour alone
        hcbr_i_html(w, "<path class=\"cross\" d=\"M");
        put_place(w, px - 3), hcbr_i_html(w, " "), put_place(w, py - 3);
        hcbr_i_html(w, "l6 6m0-6l-6 6\"/>");
        return;
    }
    HTML(w, NULL, OURS("<circle r=\"2.6\" class=\""), OURS(style), OURS("\""));
    put_attribute(w, "cx", px);
    put_attribute(w, "cy", py);
    hcbr_i_html(w, "/>");
}

void hcbr_i_chart_disc(hcbr_writer *w, const hcbr_i_chart *c, double x, double y, double size) {
    if (!is_drawn(c, x, y) || !isfinite(size))
        return;
    hcbr_i_html(w, "<circle class=\"right\"");
    put_attribute(w, "r", 2 + 8 * inside(size, 0, 1));
    put_attribute(w, "cx", hcbr_i_chart_x(c, inside(x, c->x_low, c->x_high)));
    put_attribute(w, "cy", hcbr_i_chart_y(c, inside(y, c->y_low, c->y_high)));
    hcbr_i_html(w, "/>");
}

void hcbr_i_chart_path(hcbr_writer *w, const hcbr_i_chart *c, const hcbr_i_node *points,
                       const char *x, const char *y, int tone, bool dots) {
    static const char *const TONES[] = {"tone0", "tone1", "tone2", "tone3", "tone4", "tone5"};
    static const char *const FILLS[] = {"fill0", "fill1", "fill2", "fill3", "fill4", "fill5"};
    bool begun = false;
    for (const hcbr_i_node *n = points->first; n; n = n->next) {
        double px = *x ? hcbr_i_node_number(n, x) : hcbr_i_node_at(n, 0)->number;
        double py = *y ? hcbr_i_node_number(n, y) : hcbr_i_node_at(n, 1)->number;
        if (!is_drawn(c, px, py))
            continue;
        if (!begun) {
            HTML(w, NULL, OURS("<path class=\""), OURS(TONES[tone % 6]), OURS("\" d=\"M"));
        } else
            hcbr_i_html(w, "L");
        put_place(w, hcbr_i_chart_x(c, inside(px, c->x_low, c->x_high)));
        hcbr_i_html(w, " ");
        put_place(w, hcbr_i_chart_y(c, inside(py, c->y_low, c->y_high)));
        begun = true;
    }
    if (begun)
        hcbr_i_html(w, "\"/>\n");
    for (const hcbr_i_node *n = dots ? points->first : NULL; n; n = n->next)
        hcbr_i_chart_dot(w, c, hcbr_i_node_number(n, x), hcbr_i_node_number(n, y), FILLS[tone % 6]);
}

/* An element of a style with four places. */
static void put_shape(hcbr_writer *w, const char *element, const char *style,
                      const char *const names[4], const double values[4]) {
    HTML(w, NULL, OURS(element), OURS(" class=\""), OURS(style), OURS("\""));
    for (int n = 0; n < 4; n++)
        put_attribute(w, names[n], values[n]);
    hcbr_i_html(w, "/>\n");
}

void hcbr_i_chart_line(hcbr_writer *w, const hcbr_i_chart *c, double x1, double y1, double x2,
                       double y2, const char *style) {
    static const char *const NAMES[] = {"x1", "y1", "x2", "y2"};
    if (!is_drawn(c, x1, y1) || !is_drawn(c, x2, y2))
        return;
    const double ends[] = {hcbr_i_chart_x(c, x1), hcbr_i_chart_y(c, y1), hcbr_i_chart_x(c, x2),
                           hcbr_i_chart_y(c, y2)};
    put_shape(w, "<line", style, NAMES, ends);
}

void hcbr_i_chart_box(hcbr_writer *w, const hcbr_i_chart *c, double x1, double y1, double x2,
                      double y2, const char *style) {
    static const char *const NAMES[] = {"x", "y", "width", "height"};
    if (!is_drawn(c, x1, y1) || !is_drawn(c, x2, y2))
        return;
    const double left = hcbr_i_chart_x(c, x1), top = hcbr_i_chart_y(c, y2);
    const double sides[] = {left, top, hcbr_i_chart_x(c, x2) - left, hcbr_i_chart_y(c, y1) - top};
    put_shape(w, "<rect", style, NAMES, sides);
}

void hcbr_i_chart_sign(hcbr_writer *w, const char *style) {
    hcbr_i_html(w, "<svg viewBox=\"0 0 24 10\" aria-hidden=\"true\">");
    if (strcmp(style, "wrong") == 0)
        hcbr_i_html(w, "<path class=\"cross\" d=\"M9 2l6 6m0-6l-6 6\"/>");
    else if (strcmp(style, "right") == 0)
        hcbr_i_html(w, "<circle class=\"right\" r=\"3\" cx=\"12\" cy=\"5\"/>");
    else {
        bool bar = strncmp(style, "bar", 3) == 0;
        HTML(w, NULL,
             OURS(bar ? "<rect x=\"4\" y=\"0\" width=\"16\" height=\"10\" class=\""
                      : "<line x1=\"0\" y1=\"5\" x2=\"24\" y2=\"5\" class=\""),
             OURS(style), OURS("\"/>"));
    }
    hcbr_i_html(w, "</svg> ");
}

void hcbr_i_chart_legend(hcbr_writer *w, const char *const *names, const char *const *styles) {
    hcbr_i_html(w, "<p class=\"legend\">");
    for (size_t n = 0; names[n]; n++) {
        hcbr_i_html(w, "<span>");
        hcbr_i_chart_sign(w, styles[n]);
        HTML(w, NULL, BARE(names[n], strlen(names[n])), OURS("</span> "));
    }
    hcbr_i_html(w, "</p>\n");
}
