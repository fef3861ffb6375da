import TrendyTerminal

/// The style of reports on light and dark paper, on telephones, on wide screens and in print.
enum ReportStyle {
    /// The colour of all types together, and of a type without a colour.
    static let accent = RGBColor(red: 0x47, green: 0x66, blue: 0x8F)

    /// The style sheet, with a class `type-N` for the colour of each type.
    static func sheet(_ types: [ThemeColor]) -> StyleSheet {
        var sheet = StyleSheet(rules)
        sheet.addColors([ThemeColor(accent)], class: "all")
        sheet.addColors(types, class: "type")
        return sheet
    }

    // The colours of paper are those of `ThemeColor`. Dark paper is for screens: print is always light.
    private static let rules: StaticString = """
        :root{color-scheme:light dark;--paper:#fcfcfa;--ink:#1b1e22;--soft:#5b636d;--rule:#e4e4df;--cell:#ebebe6;--few:.34;--dot:.5}
        @media screen and (prefers-color-scheme:dark){
        :root{--paper:#14161a;--ink:#e6e8eb;--soft:#9ca5af;--rule:#2b2f36;--cell:#20242a;--few:.42;--dot:.7}}
        *{box-sizing:border-box;margin:0;padding:0}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
        body{background:var(--paper);color:var(--ink);line-height:1.5;
        font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;
        font-variant-numeric:tabular-nums;overflow-wrap:anywhere;max-width:69rem;margin:0 auto;
        padding:2.5rem 1rem 3rem}
        h1{font-size:1.9rem;line-height:1.2;font-weight:650;letter-spacing:-.02em}
        h2{font-size:1.35rem;line-height:1.3;font-weight:650;letter-spacing:-.01em}
        h3{font-size:.95rem;font-weight:600}
        .lead,.note,.legend,footer{color:var(--soft)}
        .lead{margin-top:.4rem}
        .note,.legend,footer{font-size:.875rem}
        section{margin-top:2.75rem;padding-top:1.5rem;border-top:1px solid var(--rule)}
        .grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));
        gap:2.25rem 3rem;margin-top:1.5rem}
        .grid>.whole{grid-column:1/-1}
        .grid>*{min-width:0}
        .facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));
        gap:1.25rem 2rem;margin-top:1.75rem}
        .facts>div{display:flex;flex-direction:column-reverse;justify-content:flex-end}
        .facts dt{color:var(--soft);font-size:.875rem;line-height:1.35}
        .facts dd{font-size:1.6rem;line-height:1.25;font-weight:600;letter-spacing:-.015em}
        .facts.small{margin-top:1rem}
        .facts.small dd{font-size:1.1rem}
        .name{display:inline-flex;align-items:baseline;gap:.45em;max-width:100%}
        .name>*{flex:none}
        .name>bdi{flex:0 1 auto;min-width:0}
        .icon{width:1.35em;text-align:center;font-family:"Apple Color Emoji","Segoe UI Emoji","Noto Color Emoji",sans-serif}
        .mark-of{width:.7em;height:.7em;margin:0 .325em;border-radius:50%;background:var(--c)}
        .of-type>h2{padding-left:.75rem;border-left:4px solid var(--c)}
        a{color:inherit;text-decoration:none}
        a bdi{text-decoration:underline 1px var(--soft);text-underline-offset:.2em}
        a:hover bdi{text-decoration-color:currentColor}
        a:focus-visible,summary:focus-visible{outline:2px solid var(--soft);outline-offset:3px;border-radius:2px}
        table{border-collapse:collapse;width:100%;font-size:.9375rem;line-height:1.4}
        th{text-align:left;font-weight:400}
        thead th{color:var(--soft);font-size:.8125rem;vertical-align:bottom}
        td,th{padding:.4rem 1rem .4rem 0;vertical-align:top}
        td:last-child,th:last-child{padding-right:0}
        tbody tr{border-top:1px solid var(--rule)}
        .number{text-align:right;white-space:nowrap}
        .bars,.streaks{margin-top:1.25rem;table-layout:fixed}
        .bars th:first-child{width:30%}
        .bars th:last-child{width:5.5rem}
        .bars svg,.streaks svg{margin-top:.25em}
        .streaks th:first-child{width:30%}
        .streaks th:nth-child(2){width:18%}
        .streaks th:nth-child(3){width:13rem}
        .days{display:block}
        .nowrap{white-space:nowrap}
        figcaption{margin-bottom:.75rem}
        .note{line-height:1.4;margin-top:.1rem}
        svg{display:block;overflow:visible}
        .chart{max-width:100%}
        .room-1{padding-left:2rem}
        .room-2{padding-left:3rem}
        .room-3{padding-left:4.5rem}
        .room-4{padding-left:7rem}
        svg text{font-size:12px;fill:var(--soft);font-family:inherit}
        line{stroke:var(--rule);stroke-width:1;shape-rendering:crispEdges}
        line.base{stroke:var(--soft);opacity:.55}
        .mark,.dot{fill:var(--c)}
        .mark.open{opacity:.45}
        circle.dot{fill-opacity:var(--dot)}
        circle.dot.open{fill:var(--paper);fill-opacity:1;stroke:var(--c);stroke-width:1.25}
        .average{fill:none;stroke:var(--c);stroke-width:2.25;stroke-linejoin:round;stroke-linecap:round}
        .field{overflow:visible}
        .legend{display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;align-items:center;margin-top:.5rem;font-size:.8125rem}
        .legend>span{display:inline-flex;align-items:center;gap:.4em}
        span.dot{width:6px;height:6px;border-radius:50%;background:var(--c);opacity:var(--dot)}
        span.dash{width:16px;height:2.5px;border-radius:2px;background:var(--c)}
        .calendar{display:flex;flex-wrap:wrap;row-gap:.5rem;padding-left:0}
        .part{padding-left:28px;box-sizing:content-box;flex:none}
        .part text{font-size:10px}
        .level-0{fill:var(--cell);background:var(--cell)}
        .level-1,.level-2,.level-3,.level-4{fill:var(--c);background:var(--c)}
        .level-1{opacity:var(--few)}
        .level-2{opacity:.6}
        .level-3{opacity:.78}
        .wide{display:none}
        @media (min-width:44rem){.whole .wide{display:inline}}
        @media (min-width:68rem){.wide{display:inline}}
        .key{width:11px;height:11px;border-radius:2px}
        details{margin-top:.6rem;font-size:.8125rem}
        summary{color:var(--soft);cursor:pointer;width:fit-content}
        .data{width:auto;min-width:50%;max-width:100%;margin-top:.5rem;font-size:.8125rem}
        .data td,.data th{padding:.15rem .9rem .15rem 0}
        .data td,.data th+th{text-align:right}
        .insights{list-style:none;display:grid;gap:1.1rem;margin-top:1.25rem}
        .insights li{padding-left:1rem;border-left:3px solid var(--c);max-width:52rem}
        .insights+.note{margin-top:1rem}
        .insights .kind{display:block;color:var(--soft);font-size:.8125rem;line-height:1.35}
        footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--rule)}
        .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        @media (max-width:43.99rem){
        .optional,.bars thead,.streaks thead{display:none}
        .bars,.bars tbody,.streaks,.streaks tbody{display:block}
        .bars tr,.streaks tr{display:grid;grid-template-columns:1fr auto;gap:.15rem 1rem;padding:.5rem 0}
        .bars tr>td,.bars tr>th:first-child,.streaks tr>td,.streaks tr>th:first-child{padding:0;width:auto}
        .bars .number{grid-area:1/2}
        .bars .bar{grid-area:2/1/3/3}
        .streaks tr>*{grid-column:1/3}
        .streaks td:before{color:var(--soft);font-size:.875rem}
        .streaks td:nth-child(2):before{content:"Now: "}
        .streaks td:last-child:before{content:"Longest: "}
        .days{display:inline;margin-left:.5em}
        h1{font-size:1.6rem}
        .facts{grid-template-columns:1fr 1fr}
        .data td,.data th{padding-right:.5rem}}
        @media screen and (min-width:68rem){
        .calendar{flex-wrap:nowrap}
        .part{height:calc(116px*1.36);width:auto;padding-left:0}
        .part:first-child{padding-left:36px}
        .part+.part .weekday{display:none}}
        @media print{
        @page{margin:14mm}
        *{-webkit-print-color-adjust:exact;print-color-adjust:exact}
        body{max-width:none;padding:0;font-size:10.5pt}
        details{display:none}
        .grid{grid-template-columns:1fr 1fr;gap:1.5rem 2.5rem}
        section{margin-top:1.75rem;padding-top:1.25rem}
        .of-type{break-before:page;border-top:0;padding-top:0;margin-top:0}
        figure,li,tr,.facts{break-inside:avoid}
        h1,h2,h3,figcaption{break-after:avoid}
        a bdi{text-decoration:none}}

        """
}
